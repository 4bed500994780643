/**
 * Tables of other programs, with all columns of those that are read, as their public sources make them:
 *
 * - Jellyfin 10.11: `JellyfinDbModelSnapshot` and the migrations beside it (jellyfin/jellyfin at commits 02bedd9 and 6da4ac8).
 * - Jellyfin 10.10: `SqliteItemRepository` and `SqliteUserDataRepository`; of the many columns of `TypedBaseItems` those around the
 *   ones that are read.
 * - Kodi 22 in development: `CVideoDatabaseDDL::CreateTables` in `VideoDatabaseDDL.cpp` (xbmc/xbmc at commit 07d86ee). Kodi 17 to 21 have
 *   no `originalLanguage`, and no versions of bookmarks.
 * - Tautulli 2: `dbcheck` in `plexpy/__init__.py` (Tautulli/Tautulli); later columns beside these are not read.
 * - Plex publishes no source: these are the tables as they stand in libraries that Plex 1.41 has made.
 */

export const JELLYFIN = `
create table "BaseItems" ("Id" TEXT not null primary key, "Album" TEXT, "AlbumArtists" TEXT, "Artists" TEXT, "Audio" INTEGER, "ChannelId" TEXT,
  "CleanName" TEXT, "CommunityRating" REAL, "CriticRating" REAL, "CustomRating" TEXT, "Data" TEXT, "DateCreated" TEXT,
  "DateLastMediaAdded" TEXT, "DateLastRefreshed" TEXT, "DateLastSaved" TEXT, "DateModified" TEXT, "EndDate" TEXT, "EpisodeTitle" TEXT,
  "ExternalId" TEXT, "ExternalSeriesId" TEXT, "ExternalServiceId" TEXT, "ExtraIds" TEXT, "ExtraType" INTEGER, "ForcedSortName" TEXT,
  "Genres" TEXT, "Height" INTEGER, "IndexNumber" INTEGER, "InheritedParentalRatingSubValue" INTEGER, "InheritedParentalRatingValue" INTEGER,
  "IsFolder" INTEGER not null, "IsInMixedFolder" INTEGER not null, "IsLocked" INTEGER not null, "IsMovie" INTEGER not null,
  "IsRepeat" INTEGER not null, "IsSeries" INTEGER not null, "IsVirtualItem" INTEGER not null, "LUFS" REAL, "MediaType" TEXT, "Name" TEXT,
  "NormalizationGain" REAL, "OfficialRating" TEXT, "OriginalTitle" TEXT, "Overview" TEXT, "OwnerId" TEXT, "ParentId" TEXT,
  "ParentIndexNumber" INTEGER, "Path" TEXT, "PreferredMetadataCountryCode" TEXT, "PreferredMetadataLanguage" TEXT, "PremiereDate" TEXT,
  "PresentationUniqueKey" TEXT, "PrimaryVersionId" TEXT, "ProductionLocations" TEXT, "ProductionYear" INTEGER, "RunTimeTicks" INTEGER,
  "SeasonId" TEXT, "SeasonName" TEXT, "SeriesId" TEXT, "SeriesName" TEXT, "SeriesPresentationUniqueKey" TEXT, "ShowId" TEXT, "Size" INTEGER,
  "SortName" TEXT, "StartDate" TEXT, "Studios" TEXT, "Tagline" TEXT, "Tags" TEXT, "TopParentId" TEXT, "TotalBitrate" INTEGER,
  "Type" TEXT not null, "UnratedType" TEXT, "Width" INTEGER);
create table "BaseItemProviders" ("ItemId" TEXT not null, "ProviderId" TEXT not null, "ProviderValue" TEXT not null,
  primary key ("ItemId", "ProviderId"), foreign key ("ItemId") references "BaseItems" ("Id") on delete cascade);
create table "Users" ("Id" TEXT not null primary key, "AudioLanguagePreference" TEXT, "AuthenticationProviderId" TEXT not null,
  "CastReceiverId" TEXT, "DisplayCollectionsView" INTEGER not null, "DisplayMissingEpisodes" INTEGER not null,
  "EnableAutoLogin" INTEGER not null, "EnableLocalPassword" INTEGER not null, "EnableNextEpisodeAutoPlay" INTEGER not null,
  "EnableUserPreferenceAccess" INTEGER not null, "HidePlayedInLatest" INTEGER not null, "InternalId" INTEGER not null,
  "InvalidLoginAttemptCount" INTEGER not null, "LastActivityDate" TEXT, "LastLoginDate" TEXT, "LoginAttemptsBeforeLockout" INTEGER,
  "MaxActiveSessions" INTEGER not null, "MaxParentalRatingScore" INTEGER, "MaxParentalRatingSubScore" INTEGER,
  "MustUpdatePassword" INTEGER not null, "Password" TEXT, "PasswordResetProviderId" TEXT not null, "PlayDefaultAudioTrack" INTEGER not null,
  "RememberAudioSelections" INTEGER not null, "RememberSubtitleSelections" INTEGER not null, "RemoteClientBitrateLimit" INTEGER,
  "RowVersion" INTEGER not null, "SubtitleLanguagePreference" TEXT, "SubtitleMode" INTEGER not null, "SyncPlayAccess" INTEGER not null,
  "Username" TEXT collate nocase not null);
create table "UserData" ("ItemId" TEXT not null, "UserId" TEXT not null, "CustomDataKey" TEXT not null, "AudioStreamIndex" INTEGER,
  "IsFavorite" INTEGER not null, "LastPlayedDate" TEXT, "Likes" INTEGER, "PlayCount" INTEGER not null, "PlaybackPositionTicks" INTEGER not null,
  "Played" INTEGER not null, "Rating" REAL, "RetentionDate" TEXT, "SubtitleStreamIndex" INTEGER,
  primary key ("ItemId", "UserId", "CustomDataKey"), foreign key ("ItemId") references "BaseItems" ("Id") on delete cascade,
  foreign key ("UserId") references "Users" ("Id") on delete cascade);`

export const OLD_JELLYFIN_ITEMS = `
create table TypedBaseItems (guid GUID primary key not null, type TEXT not null, data BLOB, ParentId GUID, Path TEXT, StartDate DATETIME,
  EndDate DATETIME, ChannelId Text, IsMovie BIT, Name Text, ProductionYear INT, UserDataKey Text, ProviderIds Text, RunTimeTicks BIGINT);
create table UserDatas (key nvarchar not null, userId INT not null, rating float null, played bit not null, playCount int not null,
  isFavorite bit not null, playbackPositionTicks bigint not null, lastPlayedDate datetime null, AudioStreamIndex INT, SubtitleStreamIndex INT);`

export const OLD_JELLYFIN_USERS = `
create table "Users" ("Id" TEXT not null primary key, "Username" TEXT not null, "InternalId" INTEGER not null);`

export const KODI = `
create table bookmark (idBookmark integer primary key, idFile integer, timeInSeconds double, totalTimeInSeconds double, thumbNailImage text,
  player text, playerState text, type integer, idVersion integer);
create table files (idFile integer primary key, idPath integer, strFilename text, playCount integer, lastPlayed text, dateAdded text);
create table movie (idMovie integer primary key, idFile integer, c00 text, c01 text, c02 text, c03 text, c04 text, c05 text, c06 text,
  c07 text, c08 text, c09 text, c10 text, c11 text, c12 text, c13 text, c14 text, c15 text, c16 text, c17 text, c18 text, c19 text,
  c20 text, c21 text, c22 text, c23 text, idSet integer, userrating integer, premiered text, originalLanguage text);
create table uniqueid (uniqueid_id INTEGER primary key, media_id INTEGER, media_type TEXT, value TEXT, type TEXT);
create table videoversion (idVersion INTEGER primary key, idFile INTEGER, idMedia INTEGER, media_type TEXT, itemType INTEGER, idType INTEGER);`

/** Kodi 17 to 21, as far as they differ. */
export const OLD_KODI = KODI.replace(', idVersion integer)', ')')
  .replace(', originalLanguage text', '')
  .replace(/create table videoversion .*/, '')

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
  user_id INTEGER, user TEXT, ip_address TEXT, paused_counter INTEGER default 0, player TEXT, product TEXT, product_version TEXT,
  platform TEXT, platform_version TEXT, profile TEXT, machine_id TEXT, bandwidth INTEGER, location TEXT, quality_profile TEXT,
  secure INTEGER, relayed INTEGER, parent_rating_key INTEGER, grandparent_rating_key INTEGER, media_type TEXT, section_id INTEGER,
  view_offset INTEGER default 0);
create table session_history_metadata (id INTEGER primary key, rating_key INTEGER, parent_rating_key INTEGER, grandparent_rating_key INTEGER,
  title TEXT, parent_title TEXT, grandparent_title TEXT, original_title TEXT, full_title TEXT, media_index INTEGER,
  parent_media_index INTEGER, section_id INTEGER, thumb TEXT, parent_thumb TEXT, grandparent_thumb TEXT, art TEXT, media_type TEXT,
  year INTEGER, originally_available_at TEXT, added_at INTEGER, updated_at INTEGER, last_viewed_at INTEGER, content_rating TEXT,
  summary TEXT, tagline TEXT, rating TEXT, duration INTEGER default 0, guid TEXT, directors TEXT, writers TEXT, actors TEXT, genres TEXT,
  studio TEXT, labels TEXT);
create table users (id INTEGER primary key autoincrement, user_id INTEGER default null unique, username TEXT not null, friendly_name TEXT,
  thumb TEXT, custom_avatar_url TEXT, email TEXT, is_admin INTEGER default 0, is_home_user INTEGER default null,
  is_allow_sync INTEGER default null, is_restricted INTEGER default null, do_notify INTEGER default 1, keep_history INTEGER default 1,
  deleted_user INTEGER default 0, allow_guest INTEGER default 0, user_token TEXT, server_token TEXT, shared_libraries TEXT, filter_all TEXT,
  filter_movies TEXT, filter_tv TEXT, filter_music TEXT, filter_photos TEXT);`
