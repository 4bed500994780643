/**
 * Databases of other programs, with the tables and columns that those make: Jellyfin 10.11 (its migration `Initial` and the entities
 * beside it), Jellyfin 10.10 (`SqliteItemRepository`, `SqliteUserDataRepository`), Kodi 21 (`CVideoDatabase::CreateTables`), Tautulli 2.14
 * (`dbcheck`), Plex 1.41 (dumps of its library; its source is not public). Columns that no reader asks for stand in the tables that are read.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export const MOVIE = 'MediaBrowser.Controller.Entities.Movies.Movie'

export const JELLYFIN = `
create table "BaseItems" ("Id" TEXT not null primary key, "Type" TEXT not null, "Data" TEXT, "Path" TEXT, "StartDate" TEXT, "EndDate" TEXT,
  "ChannelId" TEXT, "IsMovie" INTEGER not null, "CommunityRating" REAL, "CustomRating" TEXT, "IndexNumber" INTEGER, "IsLocked" INTEGER not null,
  "Name" TEXT, "OfficialRating" TEXT, "MediaType" TEXT, "Overview" TEXT, "ParentIndexNumber" INTEGER, "PremiereDate" TEXT,
  "ProductionYear" INTEGER, "Genres" TEXT, "SortName" TEXT, "RunTimeTicks" INTEGER, "DateCreated" TEXT, "IsFolder" INTEGER not null);
create table "BaseItemProviders" ("ItemId" TEXT not null, "ProviderId" TEXT not null, "ProviderValue" TEXT not null,
  primary key ("ItemId", "ProviderId"));
create table "Users" ("Id" TEXT not null primary key, "Username" TEXT collate nocase not null, "Password" TEXT, "InternalId" INTEGER not null);
create table "UserData" ("ItemId" TEXT not null, "UserId" TEXT not null, "CustomDataKey" TEXT not null, "AudioStreamIndex" INTEGER,
  "IsFavorite" INTEGER not null, "LastPlayedDate" TEXT, "Likes" INTEGER, "PlayCount" INTEGER not null, "PlaybackPositionTicks" INTEGER not null,
  "Played" INTEGER not null, "Rating" REAL, "RetentionDate" TEXT, "SubtitleStreamIndex" INTEGER,
  primary key ("ItemId", "UserId", "CustomDataKey"));`

export const OLD_JELLYFIN_ITEMS = `
create table TypedBaseItems (guid GUID primary key not null, type TEXT not null, data BLOB, ParentId GUID, Path TEXT, StartDate DATETIME,
  EndDate DATETIME, ChannelId Text, IsMovie BIT, Name Text, ProductionYear INT, UserDataKey Text, ProviderIds Text, RunTimeTicks BIGINT);
create table UserDatas (key nvarchar not null, userId INT not null, rating float null, played bit not null, playCount int not null,
  isFavorite bit not null, playbackPositionTicks bigint not null, lastPlayedDate datetime null, AudioStreamIndex INT, SubtitleStreamIndex INT);`

export const OLD_JELLYFIN_USERS = `
create table "Users" ("Id" TEXT not null primary key, "Username" TEXT not null, "InternalId" INTEGER not null);`

export const KODI = `
create table bookmark (idBookmark integer primary key, idFile integer, timeInSeconds double, totalTimeInSeconds double, thumbNailImage text,
  player text, playerState text, type integer);
create table files (idFile integer primary key, idPath integer, strFilename text, playCount integer, lastPlayed text, dateAdded text);
create table movie (idMovie integer primary key, idFile integer, c00 text, c01 text, c07 text, c11 text, c16 text, c22 text, c23 text,
  idSet integer, userrating integer, premiered text);
create table uniqueid (uniqueid_id integer primary key, media_id integer, media_type text, value text, type text);`

export const PLEX = `
create table accounts (id INTEGER primary key autoincrement not null, name varchar(255), hashed_password varchar(255), salt varchar(255),
  created_at dt_integer(8), updated_at dt_integer(8), default_audio_language varchar(255));
create table metadata_items (id INTEGER primary key autoincrement not null, library_section_id integer, parent_id integer, metadata_type integer,
  guid varchar(255), media_item_count integer, title varchar(255), title_sort varchar(255), original_title varchar(255), studio varchar(255),
  duration integer, originally_available_at dt_integer(8), year integer, added_at dt_integer(8));
create table metadata_item_settings (id INTEGER primary key autoincrement not null, account_id integer, guid varchar(255), rating float,
  view_offset integer, view_count integer, last_viewed_at dt_integer(8), created_at dt_integer(8), updated_at dt_integer(8),
  skip_count integer default 0, last_skipped_at dt_integer(8), changed_at integer(8) default 0, extra_data varchar(255));
create table metadata_item_views (id INTEGER primary key autoincrement not null, account_id integer, guid varchar(255), metadata_type integer,
  library_section_id integer, grandparent_title varchar(255), parent_index integer, parent_title varchar(255), "index" integer,
  title varchar(255), thumb_url varchar(255), viewed_at dt_integer(8), grandparent_guid varchar(255), originally_available_at dt_integer(8),
  device_id integer);
create table tags (id INTEGER primary key autoincrement not null, metadata_item_id integer, tag varchar(255), tag_type integer);
create table taggings (id INTEGER primary key autoincrement not null, metadata_item_id integer, tag_id integer, "index" integer);`

export const TAUTULLI = `
create table session_history (id INTEGER primary key autoincrement, reference_id INTEGER, started INTEGER, stopped INTEGER, rating_key INTEGER,
  user_id INTEGER, user TEXT, ip_address TEXT, paused_counter INTEGER default 0, player TEXT, product TEXT, platform TEXT, machine_id TEXT,
  parent_rating_key INTEGER, grandparent_rating_key INTEGER, media_type TEXT, section_id INTEGER, view_offset INTEGER default 0);
create table session_history_metadata (id INTEGER primary key, rating_key INTEGER, parent_rating_key INTEGER, grandparent_rating_key INTEGER,
  title TEXT, parent_title TEXT, grandparent_title TEXT, original_title TEXT, full_title TEXT, section_id INTEGER, year INTEGER,
  originally_available_at TEXT, added_at INTEGER, guid TEXT, duration INTEGER default 0);
create table users (id INTEGER primary key autoincrement, user_id INTEGER default null unique, username TEXT not null, friendly_name TEXT);`

type Value = string | number | null
/** Rows by table. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>

/** @returns its path */
export function makeDatabase(folder: string, name: string, tables: string, rows: Rows): string {
  const file = join(folder, name)
  const db = new DatabaseSync(file)
  db.exec(tables)
  for (const [table, lines] of Object.entries(rows)) {
    for (const line of lines) {
      const columns = Object.keys(line).map((column) => `"${column}"`)
      db.prepare(`insert into "${table}" (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`).run(...Object.values(line))
    }
  }
  db.close()
  return file
}
