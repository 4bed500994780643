/** Made from the description of the API by `npm run web:types`. */
export interface paths {
    "/api/auth/sign-in/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with e-mail and password */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the login of the Bearer token or the cookie. Without one the answer is the same.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how to sign in or up
         * @description For clients that must choose between a sign-in page and a sign-up page.
         */
        get: operations["getSignInOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-up/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up
         * @description Off by default (`MARQUEE_SIGN_UP`). `first`: the first person becomes the administrator; `open`: everybody can sign up.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/get-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current session
         * @description Null if nobody is signed in.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/list-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your logins */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/revoke-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End one of your logins */
        post: operations["revokeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/revoke-other-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End all your other logins */
        post: operations["revokeOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change your password */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Complete a sign-in with a code */
        post: operations["verifySecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get whether you have a second factor */
        get: operations["getSecondFactor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a second factor
         * @description Returns a secret for an authenticator app, and recovery codes. Nothing changes until `activate` gets a code of the app.
         */
        post: operations["prepareSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn on the prepared second factor */
        post: operations["activateSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn off your second factor */
        post: operations["disableSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/generate-backup-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace your recovery codes */
        post: operations["replaceBackupCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Turn off the second factor of a user
         * @description For somebody who has lost the device and the recovery codes.
         */
        delete: operations["resetSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/passkey-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a passkey challenge for a sign-in */
        post: operations["getPasskeyRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/verify-passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Complete a sign-in with a passkey */
        post: operations["verifyPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your passkeys */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Add a passkey
         * @description It can be used instead of a code. 409 without a second factor that is on.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a passkey
         * @description A passkey works at the address at which it is made, and browsers make one at `https:` or `localhost` alone.
         */
        post: operations["preparePasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkeys/{passkeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a passkey */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in at the identity provider
         * @description For browsers. 404 without `MARQUEE_OIDC_ISSUER`.
         */
        get: operations["beginSingleSignOn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete a sign-in at the identity provider
         * @description The redirect URI to register at the provider. The fragment of the page contains the next step: `challenge` of the second factor, or `sign-in`: `link`, or why nobody was signed in.
         */
        get: operations["completeSingleSignOn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get whether your account is linked with the identity provider */
        get: operations["getSingleSignOn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link your account with the identity provider
         * @description Needs the cookie of a sign-in at the provider within the last ten minutes (`sign-in=link`), and your password.
         */
        post: operations["linkSingleSignOn"];
        /** Unlink your account from the identity provider */
        delete: operations["unlinkSingleSignOn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/single-sign-on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get whether a user is linked with the identity provider, or may be */
        get: operations["getUserSingleSignOn"];
        put?: never;
        post?: never;
        /** Unlink a user from the identity provider */
        delete: operations["unlinkUserSingleSignOn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/single-sign-on/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Allow that a user is linked by the e-mail address
         * @description For seven days, the next sign-in at the identity provider with the e-mail address of the user, verified there, links the account without its password. The link uses the consent up, and a change of the address ends it. Not for administrators (409).
         */
        put: operations["giveLinkConsent"];
        post?: never;
        /**
         * Withdraw the consent to link a user
         * @description An account that is linked already stays linked.
         */
        delete: operations["withdrawLinkConsent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/access-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your access tokens */
        get: operations["listAccessTokens"];
        put?: never;
        /**
         * Create an access token
         * @description For a program that acts in your name. It ends with its time, when you revoke it, or with all your logins.
         */
        post: operations["createAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/access-tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an access token */
        delete: operations["revokeAccessToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get your account */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change your name or e-mail address */
        patch: operations["changeMe"];
        trace?: never;
    };
    "/v1/users/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export your data
         * @description One JSON object per line, each with a `type`: `account`, `preferences`, `login`, `accessToken`, `movie` (marks, plays, watchlist, resume point), `session`, then `checkpoint` and `audit`: every event about you or by you as it was hashed (`event`), with its path to the checkpoint (`hashes`). Times in RFC 3339, positions in seconds.
         */
        get: operations["exportMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase your account
         * @description Ends your logins and playback sessions, and makes your personal data permanently unreadable. This cannot be undone. The last
         *     administrator cannot be erased. Keep the receipt: only administrators can read it again, at `/v1/erasures/:id`.
         */
        post: operations["eraseMe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your preferences
         * @description An empty object until a client has stored some.
         */
        get: operations["getPreferences"];
        /**
         * Replace your preferences
         * @description With `If-Match` set to the `ETag` that you have read, a change that another client has made since is not overwritten. All your clients get a `preferences.changed` event.
         */
        put: operations["setPreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description By default it has the role `user` and sees all libraries.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a user */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Remove or erase a user
         * @description Disables and hides the user, and frees the e-mail address. `erase=true` also makes their personal data permanently unreadable; repeating that is answered the same.
         */
        delete: operations["removeUser"];
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description Members that are not sent stay. The last administrator cannot be demoted or disabled. Disabling a user ends all their logins.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/v1/users/{id}/libraries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Grant libraries to a user */
        put: operations["grantLibraries"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the password of a user
         * @description Ends all logins of the user except the one of this request.
         */
        post: operations["setPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/logins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List logins of a user */
        get: operations["listLogins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/logins/{loginId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a login of a user */
        delete: operations["endLogin"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/home": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the home page
         * @description Your account, your libraries and your lists, each as its own route shows it. Movies are cards (`view=card`).
         */
        get: operations["getHome"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/libraries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List libraries */
        get: operations["listLibraries"];
        put?: never;
        /**
         * Create a library
         * @description Does not start a scan. A folder that is currently unavailable is accepted.
         */
        post: operations["createLibrary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/libraries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a library */
        get: operations["getLibrary"];
        put?: never;
        post?: never;
        /**
         * Remove a library
         * @description Files on disk and the history are kept. An administrator can restore the library.
         */
        delete: operations["deleteLibrary"];
        options?: never;
        head?: never;
        /**
         * Change a library
         * @description Members that are not sent stay. Movies below a removed folder become missing, and return as they were with the folder. The next scan reads an added folder.
         */
        patch: operations["changeLibrary"];
        trace?: never;
    };
    "/v1/admin/libraries/removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List removed libraries
         * @description Those that can be restored: at most 100, the last removed first.
         */
        get: operations["listRemovedLibraries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/libraries/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a removed library
         * @description Its movies, marks and resume points come back too.
         */
        post: operations["restoreLibrary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/libraries/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get statistics of a library */
        get: operations["getLibraryStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List folders to choose from
         * @description Folders within a folder of the machine that answers, without hidden ones: only those that a library may have (`MARQUEE_MEDIA_ROOTS`). Without `path`: the media roots, or the top of the file system if there are none.
         */
        get: operations["listFolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/libraries/{id}/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the current or last scan */
        get: operations["getCurrentScan"];
        put?: never;
        /**
         * Start a scan
         * @description A library has one scan at a time. Of several concurrent requests one succeeds.
         */
        post: operations["startScan"];
        /**
         * Cancel the running scan
         * @description Keeps what the scan has found so far.
         */
        delete: operations["cancelScan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/libraries/{id}/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scans of a library
         * @description Newest first, each with its first 20 errors.
         */
        get: operations["listScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/libraries/{id}/scans/{scanId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a scan
         * @description A page may be shorter than `limit`, or empty. The list ends when `nextCursor` is null.
         */
        get: operations["listScanChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/libraries/{id}/scans/{scanId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a scan */
        get: operations["getScan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List movies
         * @description A page may be shorter than `limit`, or empty, if few movies match. The list ends when `nextCursor` is null.
         */
        get: operations["listMovies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/recently-added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List recently added movies */
        get: operations["listRecentlyAdded"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/anchors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List anchors of the movie list
         * @description For clients that scroll through the whole list: its length, and a cursor for every n-th movie. Takes the filters and the order of
         *     `GET /v1/movies`, and its cursors are for that list with the same filters and order. A random order needs a `seed`. One pass over an
         *     index finds the anchors and the letters, so that both cost no more than the total.
         */
        get: operations["listMovieAnchors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a movie */
        get: operations["getMovie"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit a movie
         * @description Later scans do not overwrite members that are sent.
         */
        patch: operations["editMovie"];
        trace?: never;
    };
    "/v1/movies/{id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get cast and crew */
        get: operations["getCredits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/{id}/file-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get technical details of the files */
        get: operations["getFileStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/{id}/watched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Mark a movie as watched
         * @description A repeat changes nothing: the first `watchedAt` stays. The movie leaves the continue-watching list.
         */
        put: operations["markWatched"];
        post?: never;
        /** Mark a movie as not watched */
        delete: operations["markUnwatched"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/marks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark many movies
         * @description Marks up to 100 movies as watched or not, and sets their resume points. If one of them is unknown or a value is invalid, nothing is changed. Each item contains its former values in `before`: the same request with these values undoes it.
         */
        post: operations["markMovies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/{id}/resume-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List earlier resume points
         * @description The last position of each session, and positions set by hand. Newest first.
         */
        get: operations["listResumeHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set the resume point */
        put: operations["setResumePoint"];
        post?: never;
        /** Clear the resume point */
        delete: operations["clearResumePoint"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/{id}/watchlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Add a movie to the watchlist */
        put: operations["addToWatchlist"];
        post?: never;
        /** Remove a movie from the watchlist */
        delete: operations["removeFromWatchlist"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/{id}/match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pin the match of a movie
         * @description Scans never overwrite it. External ids that are not sent are removed.
         */
        post: operations["pinMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/{id}/match/candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List match candidates of a movie
         * @description Searches at the provider of online metadata, its best first. 409 if online metadata is off, or if the provider rejects the key; 503 while it does not answer.
         */
        get: operations["listMatchCandidates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/match-posters/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the poster of a candidate
         * @description A small image of the provider, encoded again.
         */
        get: operations["getMatchPoster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the values of each movie filter */
        get: operations["getFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a person and their movies */
        get: operations["getPerson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List collections */
        get: operations["listCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a collection and its movies */
        get: operations["getCollection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search for movies, people and collections
         * @description What the caller sees: movies as cards (`view=card`), people of these movies, and collections with their films.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/playback/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start playing a movie
         * @description `resumePosition` is the stored resume point, in a version that is too short for it at the same share; the server does not apply it. The session ends after two minutes without a heartbeat. 503 with `X-Error-Code: file_unavailable`: the file is missing, or its drive is not mounted.
         */
        post: operations["startPlayback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/playback/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a session */
        get: operations["getPlayback"];
        put?: never;
        post?: never;
        /**
         * End the session
         * @description `position` counts like a last heartbeat: for the resume point, the history and the watched mark. A page that closes sends one request: `fetch(url, { method: 'DELETE', keepalive: true })`.
         */
        delete: operations["endPlayback"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/playback/sessions/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List active sessions */
        get: operations["listActivePlayback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/playback/sessions/{id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the position of a session
         * @description Send it every ten seconds. The answer means that it is stored.
         */
        post: operations["sendHeartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/playback/sessions/{id}/seek": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Seek in a session */
        post: operations["seek"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/playback/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the session of any user */
        get: operations["inspectPlayback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/playback/sessions/{id}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a command or a message to a player
         * @description The player gets it as a `playback.command` event, and with each heartbeat until it acknowledges it.
         */
        post: operations["commandPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/playback/sessions/{id}/terminate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session of any user
         * @description After the answer every request of the session is 404, and running responses are cut. The player gets the message as a `playback.command` event.
         */
        post: operations["terminatePlayback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/playback/continue-watching": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List movies to continue watching
         * @description `fileId`, `position` and `duration` are of the version in which the film stopped, of another one that is long enough, or of one at the same share.
         */
        get: operations["listContinueWatching"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/playback/continue-watching/{movieId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a movie from continue watching
         * @description The position stays in the history. Answers 204 also if the movie was not on the list.
         */
        delete: operations["dismissContinueWatching"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was watched
         * @description Newest first: playback sessions, running ones too, and movies marked as watched by hand. Viewings in libraries that you do
         *     not see are left out. Administrators may read those of others; each time is recorded in the audit log. A page may be shorter than `limit`,
         *     even empty: the list ends where `nextCursor` is null.
         */
        get: operations["listHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who watched a movie
         * @description Your own viewings; for administrators those of everybody, which is recorded in the audit log.
         */
        get: operations["listMovieHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the steps of a viewing
         * @description What the player did, step by step. Empty for a movie that was marked as watched by hand.
         */
        get: operations["getViewingTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an entry from your history
         * @description It is no longer listed or counted. The watched mark and the resume point stay, and so does the audit log; only erasing your
         *     account removes what the log holds.
         */
        delete: operations["hideViewing"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import what you watched elsewhere
         * @description Each item is taken once, however often it is sent. Nothing is marked as unwatched, and your own
         *     marks stay. The newest viewing by time, here or imported, sets the resume point: a position sets it, a viewing to the end clears it. Items of
         *     movies that you do not have wait until the movie appears. An import can be undone as a whole; it may take several requests. If one fails,
         *     send it again. At most 50,000 of your items may wait: a request that would exceed this gets 409, and nothing of it is imported; undo imports
         *     that you no longer need, and send it again.
         */
        post: operations["importHistory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your imports */
        get: operations["listHistoryImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/imports/{id}/unmatched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List items that wait for their movie */
        get: operations["listUnmatchedItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Undo an import
         * @description Takes back the entries, marks, plays and resume points that it brought, and the items that wait. All else stays.
         */
        delete: operations["undoHistoryImport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the history
         * @description `json`: the entries of `GET /v1/history` as one array. `csv`: the same as a table. `trakt`: what was watched to its end,
         *     in the form of Trakt's history. Administrators may export those of others, which is recorded in the audit log.
         */
        get: operations["exportHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movies/{id}/life": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the life of a movie
         * @description From its discovery on, newest first: how it was identified, matched and edited, where its files went, and the viewings that you
         *     may see. Only administrators see the actor and the folders.
         */
        get: operations["getMovieLife"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/libraries/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what changed in a library
         * @description Movies to which something happened in the range; the one that changed last comes first. A page may be shorter than `limit`,
         *     even empty: the list ends where `nextCursor` is null.
         */
        get: operations["listLibraryChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what was watched
         * @description Of your own viewings; administrators may ask for those of others, which is recorded in the audit log. Every number is that of the
         *     viewings that `GET /v1/history` lists for the same filters: also those marked by hand, unless `source` excludes them.
         */
        get: operations["getAnalyticsOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/plays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what was watched by time
         * @description Days, weeks, months and hours are those of the time zone, also when its clocks change.
         *
         *     Of your own viewings; administrators may ask for those of others, which is recorded in the audit log. Every number is that of the
         *     viewings that `GET /v1/history` lists for the same filters: also those marked by hand, unless `source` excludes them.
         */
        get: operations["getAnalyticsPlays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/top": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rank what was watched most
         * @description Of your own viewings; administrators may ask for those of others, which is recorded in the audit log. Every number is that of the
         *     viewings that `GET /v1/history` lists for the same filters: also those marked by hand, unless `source` excludes them.
         */
        get: operations["getAnalyticsTop"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/concurrency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count concurrent playbacks
         * @description From the starts and ends of all playbacks, until now.
         *
         *     Of your own viewings; administrators may ask for those of others, which is recorded in the audit log. Every number is that of the
         *     viewings that `GET /v1/history` lists for the same filters: also those marked by hand, unless `source` excludes them.
         */
        get: operations["getAnalyticsConcurrency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show which movies are finished
         * @description How many viewers of a movie finished it, and where the others stopped. Counts playbacks only: a mark has no position.
         *
         *     Of your own viewings; administrators may ask for those of others, which is recorded in the audit log. Every number is that of the
         *     viewings that `GET /v1/history` lists for the same filters: also those marked by hand, unless `source` excludes them.
         */
        get: operations["getAnalyticsFinish"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/rewatched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show which movies are watched again
         * @description Of your own viewings; administrators may ask for those of others, which is recorded in the audit log. Every number is that of the
         *     viewings that `GET /v1/history` lists for the same filters: also those marked by hand, unless `source` excludes them.
         */
        get: operations["getAnalyticsRewatched"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/year/{year}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look back at a year
         * @description Of your own viewings; administrators may ask for those of others, which is recorded in the audit log. Every number is that of the
         *     viewings that `GET /v1/history` lists for the same filters: also those marked by hand, unless `source` excludes them.
         */
        get: operations["getAnalyticsYear"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/{sessionId}/master.m3u8": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the HLS master playlist
         * @description Its URLs are relative. Each has the current stream token of the session.
         */
        get: operations["getMasterPlaylist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/{sessionId}/{quality}/playlist.m3u8": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the HLS playlist of a quality */
        get: operations["getMediaPlaylist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/{sessionId}/{quality}/iframes.m3u8": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the HLS I-frame playlist of a quality
         * @description Lists the first frame of each segment. Audio has none.
         */
        get: operations["getIframePlaylist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/{sessionId}/{quality}/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an HLS segment, or its first frame
         * @description The server makes a segment on request. It never changes.
         */
        get: operations["getSegment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/{sessionId}/subtitles/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get subtitles as WebVTT */
        get: operations["getSubtitle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/{sessionId}/trickplay/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get thumbnails for the seek bar
         * @description `thumbnails.vtt` (a cue for each thumbnail, with `#xywh=` on a sheet), `plan.json` (for players with a seek bar of their
         *     own), `320.m3u8` (image playlist) and the sheets `320-0.jpg`, `320-1.jpg`, ...: 10 x 10 thumbnails each, one for every ten seconds,
         *     row by row. Either all files exist or none. They are made some time after the scan, unless the library has trickplay turned off.
         */
        get: operations["getTrickplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/{sessionId}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the media file as it is */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent/sources/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the media file of a transcode job */
        get: operations["getAgentSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/images/{imageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an image
         * @description Resized on first use, upright, in sRGB and without metadata. If an image beside a media file is broken, the image of the provider of online metadata or a frame of the film replaces it, or else a placeholder, which clients may cache for a minute. If the library shows images to its users only, others get 404, as for an unknown image, and an invalid credential gets 401 for both. A public image needs no credential, and an invalid one changes nothing.
         */
        get: operations["getImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes since a point
         * @description Without `after` the list begins with everything that exists. `nextCursor` is never null: use it as the next `after`, also when
         *     `upToDate` is true, which means that there are no further changes yet. Movies that the caller may no longer see come as `remove`.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream live events
         * @description Each event's data is JSON (its schema by kind: `x-event-schemas`) with `seq`, `at` and, by kind: `hello{serverVersion,webBuild}`, `reset{}` (read everything again),
         *     `library.created|updated|deleted|offline|online|massMissing{libraryId}`, `scan.started|progress|completed|failed|cancelled{scan}`,
         *     `movie.added|updated|missing|restored|removed{movieId,libraryId}`, `movie.watched|unwatched{movieId,watchedAt}`,
         *     `resume.changed{movieId,position}`, `watchlist.changed{movieId,watchlist}`, `playback.started|progress|seeked|ended{sessionId,userId,movieId,position,playState,endReason}`,
         *     `playback.command{sessionId,command,message}`, `user.created|updated|deleted{userId}`, `access.changed{}`,
         *     `trickplay.ready{movieId}`, `projection.rebuilding{name,progress}`, `projection.rebuilt{name}` (administrators), `server.stopping{}`. With `Last-Event-ID` missed events are sent again: up to 10,000 events or a day.
         */
        get: operations["openEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description One entry for each event of the log: who did what to what, from where, and what it was before. A page may be shorter
         *     than `limit`, even empty: the list ends where `nextCursor` is null. Each look at others is on record, too: `HistoryViewed`, which they can read.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was done with your account
         * @description Sign-ins, refused ones, every change, and administrators' looks at your history or at everybody's, with who it was. Addresses and
         *     clients of others are left out.
         */
        get: operations["listOwnAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a signed checkpoint of the log
         * @description Origin, size and root of the Merkle tree (RFC 6962) over the log, as a signed note (C2SP, Ed25519). Keep it elsewhere: it
         *     shows later whether the log was changed or cut off since. `/v1/audit/tile/` serves the tiles of the tree (c2sp.org/tlog-tiles).
         */
        get: operations["getCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the key that verifies checkpoints */
        get: operations["getCheckpointKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a checkpoint against the log
         * @description `truncated`: the log is shorter than it was. `changed`: an entry is not what it was.
         */
        post: operations["verifyCheckpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that an entry is in the log
         * @description The leaf has the index `seq` - 1 in the tree of the first `size` entries.
         */
        get: operations["getInclusionProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prove that the log only grew */
        get: operations["getConsistencyProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/erasures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the receipt of an erasure
         * @description Proves without this server that the key of a user's personal data was destroyed: the entry's leaf hash and `hashes` lead
         *     to the root in `checkpoint`.
         */
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/projections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List projections and their progress */
        get: operations["listProjections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/projections/{name}/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rebuild a projection from the log
         * @description New documents are made beside the ones that are read, and replace them when they hold the whole log. Requests are answered all the time. A rebuild survives a restart; while one runs, another request returns the same. `snapshots`: those of the past are deleted, and made again in the background. Progress: `rebuild` in the list, and the live events `projection.rebuilding` and `projection.rebuilt`.
         */
        post: operations["rebuildProjection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Add a webhook
         * @description The server posts events to its URL from now on, signed by Standard Webhooks (`webhook-id`, `webhook-timestamp`,
         *     `webhook-signature`). Each is sent at least once, with the same `webhook-id` in every try; events about the same thing are sent in
         *     order. A status from 200 to 299 within ten seconds counts as delivered. Other events are tried again for three days, after growing
         *     pauses or that of `Retry-After`; then they are parked. 410 disables the webhook.
         */
        post: operations["addWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook
         * @description Waiting and parked events are removed with it.
         */
        delete: operations["removeWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Members that are not sent stay. With another URL, waiting events are sent at once.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/v1/admin/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends `webhook.test` once, and returns the result. It is not in the list of deliveries.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of a webhook
         * @description All that wait, and the last 100 that were delivered and 1,000 that were parked. At most about 1,000 wait here: while more do, the rest of the log is not read for this webhook.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/webhooks/{id}/deliveries/{deliveryId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a parked delivery again
         * @description It gets three more days.
         */
        post: operations["retryWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get version, health and settings of the server
         * @description Of the node that answers. Secrets are left out.
         */
        get: operations["getServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/speedtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Measure download speed
         * @description Limited to three tests a minute, download and upload together. HEAD does not count.
         */
        get: operations["testDownload"];
        put?: never;
        /** Measure upload speed */
        post: operations["testUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process is alive */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the server is ready */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this description as OpenAPI 3.1 */
        get: operations["getDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AuditEntry: {
            /** @description Number of the entry: from 1, without gaps. */
            seq: number;
            /**
             * @description Type of the event.
             * @example UserRoleChanged
             */
            type: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            actor: {
                /** @enum {unknown} */
                kind: "user" | "system" | "cli";
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string | null;
                /** @description Of a user, as it is now; `erased user` after an erasure. */
                name: string | null;
                ip: string | null;
                /** @description The `User-Agent` of the request. */
                client: string | null;
            };
            target: {
                /** @enum {unknown} */
                kind: "user" | "library" | "movie" | "login" | "session" | "scan" | "job" | "webhook" | "server";
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string | null;
            };
            /**
             * @description `X-Request-Id` of the answer.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            requestId: string | null;
            /** @description Values before and after. Never a password, token, hash or key. */
            changes: {
                path: string;
                from: unknown;
                to: unknown;
            }[];
            /** @description SHA-256, base64. */
            leafHash: string;
        };
        AuditEntryPage: {
            items: components["schemas"]["AuditEntry"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        InclusionProof: {
            /** @description Number of the entry: from 1, without gaps. */
            seq: number;
            /** @description Number of the entry: from 1, without gaps. */
            size: number;
            /** @description SHA-256, base64. */
            leafHash: string;
            /** @description The path of RFC 6962, the nearest hash first. */
            hashes: string[];
        };
        ConsistencyProof: {
            /** @description Number of the entry: from 1, without gaps. */
            from: number;
            /** @description Number of the entry: from 1, without gaps. */
            to: number;
            /** @description The path of RFC 6962, the nearest hash first. */
            hashes: string[];
        };
        CheckpointVerdict: {
            valid: boolean;
            /** @enum {string|null} */
            reason: "malformed" | "unknown_key" | "bad_signature" | "truncated" | "changed" | null;
            origin: string | null;
            size: number | null;
            root: string | null;
        };
        ErasureReceipt: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /**
             * @description Id of the user.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            subject: string;
            /**
             * @description Name of the destroyed key.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            keyId: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            erasedAt: string;
            /** @description Number of the entry: from 1, without gaps. */
            seq: number;
            /** @description Signed note of the tree that ends with this entry. */
            checkpoint: string;
            /** @description The entry as it was hashed: canonical JSON (RFC 8785). */
            entry: string;
            /** @description Path of the entry in that tree (RFC 6962). */
            hashes: string[];
        };
        HistoryEntry: {
            /**
             * @description Of a playback: the id of its session.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            id: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            userId: string;
            /** @description Title and year as they were at the time. */
            movie: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                title: string | null;
                year: number | null;
            };
            /** @example V1StGXR8Z5jdHi6B1myTq */
            libraryId: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description Null while the playback goes on.
             * @example 2026-01-02T12:00:00.000Z
             */
            endedAt: string | null;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            startPosition: number;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            endPosition: number;
            /**
             * @description For each heartbeat the film that went by, divided by the rate: at most the time since the last heartbeat, at most
             *     30 seconds, never less than 0.
             * @example 1830.5
             */
            watchedSeconds: number;
            /** @description How far into the film it ended. */
            percent: number;
            completed: boolean;
            /** @enum {string|null} */
            endReason: "client" | "idle" | "admin" | "signed_out" | "access_revoked" | "library_deleted" | "user_disabled" | null;
            /** @enum {string|null} */
            method: "direct" | "remux" | "transcode" | null;
            /** @description The quality that the player asked for, else the best that it was offered. */
            quality: string | null;
            /** @enum {string|null} */
            resolution: "240p" | "360p" | "480p" | "720p" | "1080p" | "1440p" | "2160p" | null;
            client: {
                name: string | null;
                version: string | null;
                device: string | null;
                deviceId: string | null;
            } | null;
            /** @enum {unknown} */
            source: "playback" | "manual" | "import";
        };
        HistoryEntryPage: {
            items: components["schemas"]["HistoryEntry"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        LifeEntry: {
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @enum {unknown} */
            kind: "discovered" | "identified" | "matched" | "unmatched" | "match_pinned" | "edited" | "artwork_chosen" | "file_added" | "file_moved" | "file_replaced" | "file_missing" | "file_returned" | "viewing";
            by: {
                /** @enum {unknown} */
                kind: "user" | "system" | "cli";
                /**
                 * @description For administrators, and of yourself.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                id: string | null;
            } | null;
            /** @description Values before and after. */
            changes: {
                path: string;
                from: unknown;
                to: unknown;
            }[];
            viewing: components["schemas"]["HistoryEntry"] | null;
        };
        LifeEntryPage: {
            items: components["schemas"]["LifeEntry"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        LibraryChange: {
            movie: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                title: string;
                year: number | null;
            };
            /**
             * @description `came`: it was not there before the range and is at its end. `went`: the other way round.
             * @enum {unknown}
             */
            net: "came" | "went" | "changed";
            /** @description Within the range, the oldest first. */
            changes: {
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                at: string;
                /** @enum {unknown} */
                kind: "discovered" | "identified" | "matched" | "unmatched" | "match_pinned" | "edited" | "artwork_chosen" | "file_added" | "file_moved" | "file_replaced" | "file_missing" | "file_returned";
            }[];
        };
        LibraryChangePage: {
            items: components["schemas"]["LibraryChange"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        HistoryImport: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            source: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            startedAt: string;
            /** @description Entries in the history. */
            imported: number;
            /** @description Items that wait for their movie. */
            waiting: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            undoneAt: string | null;
        };
        HistoryImportPage: {
            items: components["schemas"]["HistoryImport"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        HistoryImportResult: {
            /**
             * @description Null after a dry run.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            importId: string | null;
            imported: number;
            /** @description Items that were imported before, or that wait already. */
            known: number;
            /** @description Items of movies that you do not have. They are imported when the movie appears. */
            unmatched: {
                index: number;
                /**
                 * @description `ambiguous`: several of your movies fit.
                 * @enum {unknown}
                 */
                reason: "not_found" | "ambiguous";
            }[];
        };
        UnmatchedItem: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            tmdbId: string | null;
            imdbId: string | null;
            title: string | null;
            year: number | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            watchedAt: string;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            position: number | null;
            /**
             * @description `ambiguous`: several of your movies fit.
             * @enum {unknown}
             */
            reason: "not_found" | "ambiguous";
        };
        UnmatchedItemPage: {
            items: components["schemas"]["UnmatchedItem"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        AnalyticsOverview: {
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            to: string;
            tz: string;
            /** @description Viewings that the history lists. */
            plays: number;
            /**
             * @description Watched, in seconds.
             * @example 1830.5
             */
            seconds: number;
            /** @description Different users. */
            users: number;
            /** @description Different movies. */
            movies: number;
            /** @description Viewings to the end. */
            completed: number;
        };
        AnalyticsPlays: {
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            to: string;
            tz: string;
            /** @enum {unknown} */
            groupBy: "day" | "week" | "month" | "hourOfDay" | "dayOfWeek" | "hourOfWeek";
            /** @enum {unknown} */
            metric: "plays" | "seconds" | "users";
            /** @enum {string|null} */
            by: "movie" | "user" | "client" | "library" | "method" | "resolution" | null;
            /** @description All of the range, also those without a viewing. */
            buckets: {
                /**
                 * @description `2026-11-23`, `2026-W48` (ISO 8601), `2026-11`, the hour 0 to 23, the day 1 (Monday) to 7, or the hour of the week 0
                 *     (Monday, midnight) to 167: in the time zone.
                 */
                key: string;
                /**
                 * Format: date-time
                 * @description Null for hours and days that come again.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                from: string | null;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                to: string | null;
            }[];
            /** @description One number for each bucket. */
            total: number[];
            /** @description Empty without `by`. */
            series: {
                /** @description Null: unknown. */
                key: string | null;
                /** @description For people. Null: it has no name any more. */
                label: string | null;
                values: number[];
            }[];
        };
        AnalyticsTop: {
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            to: string;
            tz: string;
            /** @enum {unknown} */
            by: "movie" | "user" | "client" | "library" | "method" | "resolution";
            /** @enum {unknown} */
            metric: "plays" | "seconds" | "users";
            /** @description The most first. */
            items: {
                /** @description Null: unknown. */
                key: string | null;
                /** @description For people. Null: it has no name any more. */
                label: string | null;
                /** @description Viewings that the history lists. */
                plays: number;
                /**
                 * @description Watched, in seconds.
                 * @example 1830.5
                 */
                seconds: number;
                /** @description Different users. */
                users: number;
            }[];
        };
        AnalyticsConcurrency: {
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            to: string;
            tz: string;
            /** @description False: points were merged; each then has the most there were at once until the next. */
            exact: boolean;
            /** @description The most at once, and when first. */
            max: {
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                at: string;
                count: number;
            };
            /** @description Playbacks that went on, from each time until the next. */
            points: {
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                at: string;
                count: number;
            }[];
        };
        AnalyticsFinish: {
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            to: string;
            tz: string;
            /** @description The most playbacks first. */
            items: {
                movie: {
                    /** @example V1StGXR8Z5jdHi6B1myTq */
                    id: string;
                    /** @description Null: nobody knows what it was called. */
                    title: string | null;
                };
                /** @description Playbacks. */
                plays: number;
                /** @description Different users who began it. */
                users: number;
                /** @description Different users who saw it to the end. */
                finishedBy: number;
                /** @description Playbacks that were left in each twentieth of the film; those to the end are not among them. */
                left: number[];
            }[];
        };
        AnalyticsRewatched: {
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            to: string;
            tz: string;
            /** @description The most times first. */
            items: {
                movie: {
                    /** @example V1StGXR8Z5jdHi6B1myTq */
                    id: string;
                    /** @description Null: nobody knows what it was called. */
                    title: string | null;
                };
                /** @description Users who saw it to the end more than once. */
                users: number;
                /** @description How often they did in all. */
                times: number;
            }[];
        };
        AnalyticsYear: {
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            to: string;
            tz: string;
            year: number;
            /** @description Viewings that the history lists. */
            plays: number;
            /**
             * @description Watched, in seconds.
             * @example 1830.5
             */
            seconds: number;
            /** @description Different users. */
            users: number;
            /** @description Different movies. */
            movies: number;
            /** @description Viewings to the end. */
            completed: number;
            /** @description From six in the morning to six the next; of the evening before the year, the part in the year. Null without watched time. */
            longestEvening: {
                /** Format: date */
                date: string;
                /**
                 * @description Seconds.
                 * @example 1830.5
                 */
                seconds: number;
            } | null;
            /** @description Hour of the day in which most viewings began. */
            busiestHour: number | null;
            first: {
                movie: {
                    /** @example V1StGXR8Z5jdHi6B1myTq */
                    id: string;
                    /** @description Null: nobody knows what it was called. */
                    title: string | null;
                };
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                startedAt: string;
            } | null;
            last: {
                movie: {
                    /** @example V1StGXR8Z5jdHi6B1myTq */
                    id: string;
                    /** @description Null: nobody knows what it was called. */
                    title: string | null;
                };
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                startedAt: string;
            } | null;
            /** @description The most seconds first. */
            topMovies: {
                movie: {
                    /** @example V1StGXR8Z5jdHi6B1myTq */
                    id: string;
                    /** @description Null: nobody knows what it was called. */
                    title: string | null;
                };
                /** @description Viewings that the history lists. */
                plays: number;
                /**
                 * @description Watched, in seconds.
                 * @example 1830.5
                 */
                seconds: number;
                /** @description Different users. */
                users: number;
            }[];
            /** @description Genres of the movies, the most seconds first. */
            genres: {
                name: string;
                plays: number;
                /**
                 * @description Seconds.
                 * @example 1830.5
                 */
                seconds: number;
            }[];
            /** @description Cast of the movies, the most seconds first. */
            people: {
                name: string;
                plays: number;
                /**
                 * @description Seconds.
                 * @example 1830.5
                 */
                seconds: number;
            }[];
        };
        TimelineStep: {
            /**
             * @description What the player did in this stretch. `beat`: it sent a heartbeat, and the film stood still without a pause, as while it loads.
             * @enum {unknown}
             */
            kind: "play" | "pause" | "seek" | "beat" | "end";
            /**
             * Format: date-time
             * @description When this stretch began.
             * @example 2026-01-02T12:00:00.000Z
             */
            since: string;
            /**
             * Format: date-time
             * @description When it ended.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /**
             * @description Position in the film at `since`.
             * @example 1830.5
             */
            from: number;
            /**
             * @description Position in the film at `at`.
             * @example 1830.5
             */
            to: number;
        };
        TraktItem: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            watched_at: string;
            /** @enum {string} */
            action: "watch";
            /** @enum {string} */
            type: "movie";
            movie: {
                title: string | null;
                year: number | null;
                ids: {
                    imdb: string | null;
                    tmdb: number | null;
                };
            };
        };
        Change: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /** @enum {unknown} */
            kind: "upsert" | "remove";
            /** @enum {unknown} */
            type: "movie" | "library" | "userState";
            /**
             * @description Id of the library or movie.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            id: string;
        };
        ChangePage: {
            items: components["schemas"]["Change"][];
            /** @description The next `after`; never null. */
            nextCursor: string;
            /** @description Whether there are no more changes now. */
            upToDate: boolean;
        };
        /**
         * @example {
         *       "error": "Not found"
         *     }
         * @example {
         *       "error": "Validation error",
         *       "details": [
         *         {
         *           "path": "limit",
         *           "message": "must be <= 100"
         *         }
         *       ]
         *     }
         */
        Error: {
            /** @description What failed and what to do, for a person. */
            error: string;
            /** @description Validation errors only: every problem, one for each path. */
            details?: {
                /** @description Dotted path of the value; empty for the body itself. */
                path: string;
                message: string;
            }[];
        };
        /**
         * @description Problem details (RFC 9457), sent if `Accept` names `application/problem+json`.
         * @example {
         *       "type": "about:blank",
         *       "title": "Not Found",
         *       "status": 404,
         *       "detail": "Not found",
         *       "code": "not_found"
         *     }
         */
        Problem: {
            /** @description Always `about:blank`: the status gives the kind of problem. */
            type: string;
            /** @description Name of the status. */
            title: string;
            status: number;
            /** @description What failed and what to do, for a person. */
            detail: string;
            /** @description Error code for programs, as in `X-Error-Code`. */
            code: string;
            /** @description Validation errors only: every problem, one for each path. */
            errors?: {
                /** @description Dotted path of the value; empty for the body itself. */
                path: string;
                message: string;
            }[];
        };
        /** @description The stream is open. */
        HelloEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            serverVersion: string;
            /** @description Build of the web client that is served; null: none is. A page of another build is old. */
            webBuild: string | null;
        };
        /** @description An event without data of its own. */
        SignalEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
        };
        /** @description A library has changed. */
        LibraryEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            libraryId: string;
        };
        /** @description State of a scan, with at most 20 of its errors. */
        ScanEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            scan: components["schemas"]["Scan"];
        };
        /** @description A movie has changed. */
        MovieEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            libraryId: string | null;
        };
        /** @description A watched mark of the caller has changed. */
        WatchedEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            watchedAt: string | null;
        };
        /** @description The resume point of the caller has changed; null: the movie left continue watching, at the same position. */
        ResumeEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            position: number | null;
        };
        /** @description A movie is now on the watchlist of the caller, or no longer. */
        WatchlistEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            watchlist: boolean;
        };
        /** @description A session has started or sought. */
        PlaybackEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            sessionId: string;
            /**
             * @description The viewer.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            userId: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            position: number | null;
        };
        /** @description The position of a session. */
        PlaybackProgressEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            sessionId: string;
            /**
             * @description The viewer.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            userId: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            position: number | null;
            /** @enum {unknown} */
            playState: "playing" | "paused" | "buffering";
        };
        /** @description A session has ended. */
        PlaybackEndedEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            sessionId: string;
            /**
             * @description The viewer.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            userId: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            position: number | null;
            /**
             * @example client
             * @example idle
             */
            endReason: string;
        };
        /** @description A command for a player. */
        PlaybackCommandEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            sessionId: string;
            /**
             * @description As in `commands` of a heartbeat. The player acknowledges it with its next heartbeat.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            commandId: string;
            /** @enum {unknown} */
            command: "pause" | "stop" | "message" | "reload";
            message: string | null;
        };
        /** @description An account has changed. */
        UserEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            userId: string;
        };
        /** @description The thumbnails of a movie are ready. */
        TrickplayEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
        };
        /** @description A viewing has ended, or was marked or imported. */
        HistoryAddedEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /**
             * @description Of the entry in `GET /v1/history`.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            id: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            /** @enum {unknown} */
            source: "playback" | "manual" | "import";
        };
        /** @description Figures have changed: those of one user and one hour. Of a playback: at its start and at its end. */
        AnalyticsChangedEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            userId: string;
            /**
             * Format: date-time
             * @description Begin of the hour, in UTC; null: of many hours.
             * @example 2026-01-02T12:00:00.000Z
             */
            hour: string | null;
        };
        /** @description How far the rebuild of a projection is, each second. Without an `id`. */
        ProjectionRebuildingEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            name: string;
            progress: number;
        };
        /** @description The new documents of a projection are read. Without an `id`. */
        ProjectionRebuiltEvent: {
            /**
             * @description Position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            name: string;
        };
        SignedIn: {
            redirect: boolean;
            /** @description Bearer token, valid for 7 days after its last use. */
            token: string;
            user: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                email: string;
                name: string;
                /** @enum {unknown} */
                role: "admin" | "user";
                image: string | null;
                emailVerified: boolean;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                updatedAt: string;
            };
        };
        SignedOut: {
            success: boolean;
        };
        SignedUp: {
            /** @description Bearer token. */
            token: string;
            user: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                email: string;
                name: string;
                /** @enum {unknown} */
                role: "admin" | "user";
                image: string | null;
                emailVerified: boolean;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                updatedAt: string;
            };
        };
        SignInOptions: {
            /**
             * @description Name of the server.
             * @example Marquee
             */
            name: string;
            /**
             * @description `first`: there is no account yet, and the first one will be an administrator.
             * @enum {unknown}
             */
            signUp: "off" | "first" | "open";
            /** @description Name of the identity provider; null: there is none. */
            singleSignOn: string | null;
            /** @description Whether signing up requires `setupToken`. */
            needsSetupToken: boolean;
        };
        Login: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            userId: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            expiresAt: string;
            /** @description Address that signed in. */
            ipAddress: string | null;
            /** @description `User-Agent` that signed in. */
            userAgent: string | null;
        };
        UserLogin: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            userId: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            expiresAt: string;
            /** @description Address that signed in. */
            ipAddress: string | null;
            /** @description `User-Agent` that signed in. */
            userAgent: string | null;
            /** @description Name of the access token; null: a sign-in. */
            accessToken: string | null;
        };
        UserLoginPage: {
            items: components["schemas"]["UserLogin"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        CurrentLogin: {
            session: components["schemas"]["Login"];
            user: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                email: string;
                name: string;
                /** @enum {unknown} */
                role: "admin" | "user";
                image: string | null;
                emailVerified: boolean;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                updatedAt: string;
            };
        };
        SecondStep: {
            /** @enum {boolean} */
            twoFactorRedirect: true;
            /** @description Send it with a code to `/api/auth/two-factor/verify` within five minutes. */
            challenge: string;
        };
        SecondFactorStatus: {
            enabled: boolean;
            backupCodesLeft: number;
        };
        Passkey: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /** @example Key ring */
            name: string;
        };
        NewPasskey: {
            /** @description For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
            options: {
                [key: string]: unknown;
            };
            /** @description To be sent back with the new passkey, within five minutes. */
            ticket: string;
        };
        PasskeyRequest: {
            /** @description Null: the account has no passkey. */
            options: {
                [key: string]: unknown;
            } | null;
        };
        NewSecondFactor: {
            /** @description What the QR code holds: `otpauth://totp/...`. */
            totpURI: string;
            /** @description The secret alone, in base32, for apps without a camera. */
            secret: string;
            /** @description SVG path data of the dark modules in a square of `size` by `size`; leave a margin of 4. */
            qrCode: {
                size: number;
                path: string;
            };
            /** @description Each signs in once, instead of the app. Shown only now. */
            backupCodes: string[];
        };
        SingleSignOnStatus: {
            /** @description Name of the identity provider; null: there is none. */
            name: string | null;
            /** @description Whether your account is linked with one there. */
            linked: boolean;
        };
        BackupCodes: {
            /** @description Each signs in once, instead of the app. Shown only now. */
            backupCodes: string[];
        };
        AccessToken: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            name: string;
            /**
             * @description What it may be used for; each includes `read`. `read`: read what you see. `playback`: play, and set marks, positions
             *     and the watchlist. `write`: change your other data. `admin`: what administrators do, while you are one.
             */
            scopes: ("read" | "playback" | "write" | "admin")[];
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description Accurate to a day; null: never used.
             */
            lastUsedAt: string | null;
        };
        AccessTokenList: {
            /** @description Newest first. */
            items: components["schemas"]["AccessToken"][];
        };
        NewAccessToken: {
            /** @description The token itself, shown only now: `mqt_...`, to be sent as `Authorization: Bearer`. */
            token: string;
            accessToken: components["schemas"]["AccessToken"];
        };
        Done: {
            status: boolean;
        };
        PasswordChanged: {
            /** @description Null: the current login stays valid. */
            token: string | null;
            user: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                email: string;
                name: string;
                /** @enum {unknown} */
                role: "admin" | "user";
                image: string | null;
                emailVerified: boolean;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                updatedAt: string;
            };
        };
        User: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            email: string;
            name: string;
            /** @enum {unknown} */
            role: "admin" | "user";
            enabled: boolean;
            /**
             * @description `selected`: only the libraries in `libraryIds`.
             * @enum {unknown}
             */
            libraryAccess: "all" | "selected";
            libraryIds: string[];
            /** @description Maximum number of sessions at once; null: unlimited. */
            maxConcurrentStreams: number | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description Approximate time of the last use.
             */
            lastSeenAt: string | null;
        };
        UserPage: {
            items: components["schemas"]["User"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        /**
         * @description Whatever your clients keep, such as languages: at most 16384 bytes of JSON. Nobody else can read it.
         * @example {
         *       "audioLanguages": [
         *         "de",
         *         "en"
         *       ],
         *       "subtitles": true
         *     }
         */
        Preferences: {
            [key: string]: unknown;
        };
        Erasure: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            userId: string;
            /** @enum {unknown} */
            state: "erased";
            /** @description Null if it cannot be made now; administrators get it at `/v1/erasures/:id` later. */
            receipt: components["schemas"]["ErasureReceipt"] | null;
        };
        FolderList: {
            /** @description Null: the folders that libraries must be below. */
            path: string | null;
            /** @description The folder above, if it may be listed. Above a media root is the list without a `path`. */
            parent: string | null;
            folders: {
                name: string;
                path: string;
            }[];
        };
        RemovedLibraries: {
            items: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                name: string;
                paths: string[];
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                removedAt: string;
            }[];
        };
        Library: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            name: string;
            /** @enum {unknown} */
            kind: "movies";
            /** @description Admins only. */
            paths: string[] | null;
            /** @description BCP 47. */
            language: string;
            /** @enum {unknown} */
            state: "idle" | "scanning" | "offline";
            /** @description Whether all folders are available. */
            available: boolean;
            /** @description Admins only. */
            roots: {
                path: string;
                available: boolean;
                reason: string | null;
            }[] | null;
            movieCount: number;
            missingCount: number;
            lastScan: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                state: string;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                finishedAt: string;
            } | null;
            settings: {
                /** @description Whether the server watches the folders for changes. */
                watchFiles: boolean;
                /** @description Minutes between scheduled scans; 0: no scheduled scans. */
                scanIntervalMinutes: number;
                /** @description Whether thumbnails for the seek bar are made. */
                trickplay: boolean;
                /** @description Whether images can be read without signing in, by their unguessable ids. */
                publicImages: boolean;
            };
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            updatedAt: string;
        };
        LibraryPage: {
            items: components["schemas"]["Library"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        MatchCandidate: {
            /** @description For `POST /v1/movies/{id}/match`. */
            tmdbId: string;
            title: string;
            originalTitle: string | null;
            year: number | null;
            overview: string | null;
            /**
             * @description Path of a small image on this server.
             * @example /v1/admin/match-posters/abc.jpg
             */
            poster: string | null;
            /** @description Whether the movie is this film now. */
            current: boolean;
        };
        MatchCandidateList: {
            /** @description The title that was searched for. */
            q: string;
            /** @description The year that was searched for. */
            year: number | null;
            items: components["schemas"]["MatchCandidate"][];
        };
        LibraryStats: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            libraryId: string;
            /** @description Available movies. */
            movies: number;
            missing: number;
            files: number;
            totalBytes: number;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            totalDuration: number;
            addedLast7Days: number;
            /** @description Available movies that the caller has marked as watched, or seen to the end. */
            watched: number;
            /**
             * @description Available movies on the caller’s continue-watching list that do not count in `watched`. The filter `inProgress=true` of
             *     `GET /v1/movies` also lists watched movies that the caller has started again.
             */
            inProgress: number;
            /** @description All other available movies: the three add up to `movies`. */
            unwatched: number;
            /** @description The most frequent first. */
            resolutions: {
                value: string;
                count: number;
            }[];
            /** @description The most frequent first. */
            videoCodecs: {
                value: string;
                count: number;
            }[];
            /** @description The most frequent first. */
            audioCodecs: {
                value: string;
                count: number;
            }[];
            /** @description The most frequent first. */
            containers: {
                value: string;
                count: number;
            }[];
            /** @description The most frequent first. */
            hdr: {
                value: string;
                count: number;
            }[];
            /** @description The most frequent first. */
            genres: {
                value: string;
                count: number;
            }[];
            /** @description The most frequent first. */
            decades: {
                value: string;
                count: number;
            }[];
            /**
             * @description Position of the last event that was included.
             * @example 18231
             */
            asOfSeq: string;
        };
        TrickplayPlan: {
            /**
             * @description Seconds between thumbnails.
             * @example 1830.5
             */
            interval: number;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            duration: number;
            /** @description Width of a thumbnail in pixels. */
            w: number;
            /** @description Height of a thumbnail in pixels. */
            h: number;
            /** @description Thumbnails in a row of a sheet. */
            cols: number;
            rows: number;
            sheets: number;
            /** @description Time of each thumbnail in seconds. The thumbnail of interval n shows a frame of that interval, or up to a second before it. */
            ptsList: number[];
            /** @description URLs of the sheets, relative to this plan, each with a stream token. */
            urls: string[];
        };
        Scan: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            libraryId: string;
            /** @enum {unknown} */
            mode: "incremental" | "full";
            /** @enum {unknown} */
            trigger: "manual" | "start" | "schedule" | "watcher";
            /** @example V1StGXR8Z5jdHi6B1myTq */
            startedBy: string | null;
            /** @enum {unknown} */
            state: "queued" | "walking" | "probing" | "matching" | "settling" | "completed" | "failed" | "cancelled" | "interrupted";
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            finishedAt: string | null;
            progress: {
                done: number;
                total: number;
                percent: number;
                /** @description Current file. */
                current: string | null;
                etaSeconds: number | null;
            };
            counts: {
                seen: number;
                added: number;
                updated: number;
                moved: number;
                missing: number;
                restored: number;
                unchanged: number;
                ignored: number;
                errors: number;
            };
            /** @description The first 1,000 errors. `counts.errors` is the number of all errors. */
            errors: {
                file: string;
                message: string;
            }[];
            /** @description Why it failed: `root_unavailable`, `io_error` or `internal`. */
            error: string | null;
        };
        ScanPage: {
            items: components["schemas"]["Scan"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        ScanChange: {
            /**
             * @description Its position in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /** @enum {unknown} */
            kind: "added" | "moved" | "replaced" | "missing" | "restored";
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            /** @description Current title. */
            title: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            fileId: string;
            /** @description Path of the file; only its name for users who are not administrators. */
            file: string;
        };
        ScanChangePage: {
            items: components["schemas"]["ScanChange"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        /** @description A movie in a list, with the marks of the caller. */
        MovieSummary: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            libraryId: string;
            title: string;
            originalTitle: string | null;
            /** @description Case-folded title without a leading article, for sorting. */
            sortTitle: string;
            year: number | null;
            /** @example 2019-05-01 */
            releaseDate: string | null;
            overview: string | null;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            duration: number | null;
            genres: string[];
            contentRating: string | null;
            rating: number | null;
            /** @enum {string|null} */
            resolution: "240p" | "360p" | "480p" | "720p" | "1080p" | "1440p" | "2160p" | null;
            hdr: string | null;
            images: {
                /**
                 * @description Path of the image.
                 * @example /api/images/V1StGXR8Z5jdHi6B1myTq
                 */
                poster: string | null;
                /**
                 * @description Path of the image.
                 * @example /api/images/V1StGXR8Z5jdHi6B1myTq
                 */
                backdrop: string | null;
                /**
                 * @description Path of the image.
                 * @example /api/images/V1StGXR8Z5jdHi6B1myTq
                 */
                logo: string | null;
                /**
                 * @description Mean colour of the image, to paint in its place until it comes; null until it is known.
                 * @example #7a2b1c
                 */
                posterTint: string | null;
                /**
                 * @description Mean colour of the image, to paint in its place until it comes; null until it is known.
                 * @example #7a2b1c
                 */
                backdropTint: string | null;
            };
            /** @enum {unknown} */
            availability: "available" | "missing";
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            addedAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            updatedAt: string;
            watched: boolean;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            watchedAt: string | null;
            playCount: number;
            /** @description Resume point in seconds; 0 if there is none. */
            position: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            lastPlayedAt: string | null;
            watchlist: boolean;
        };
        MovieSummaryPage: {
            items: components["schemas"]["MovieSummary"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        /**
         * @example {
         *       "total": 120,
         *       "items": [
         *         {
         *           "index": 0,
         *           "label": "#",
         *           "cursor": null
         *         },
         *         {
         *           "index": 100,
         *           "label": "T",
         *           "cursor": "WzEsInRyYWluIiwi.c2lnbmF0dXJl"
         *         }
         *       ],
         *       "letters": [
         *         {
         *           "index": 0,
         *           "label": "#",
         *           "cursor": null
         *         },
         *         {
         *           "index": 4,
         *           "label": "A",
         *           "cursor": "WzEsImFsaWVuIiwi.c2lnbmF0dXJl"
         *         }
         *       ]
         *     }
         */
        MovieAnchors: {
            total: number;
            /** @description Every n-th movie, beginning with the first. */
            items: {
                /** @description Position of the movie in the list, from 0. */
                index: number;
                /** @description `cursor` of a page of `GET /v1/movies` that begins with this movie; null: the first page does. */
                cursor: string | null;
                /**
                 * @description By `sort`: first letter of the title (`#` if it is none), year, year and month (`addedAt`, `lastPlayedAt`) or whole rating; null if it is unknown, and for all other orders.
                 * @example M
                 * @example 1999
                 * @example 2026-01
                 * @example 7
                 */
                label: string | null;
            }[];
            /** @description With `sort=title`: the first movie of each letter, in the order of the list. Else empty. */
            letters: {
                /** @description Position of the movie in the list, from 0. */
                index: number;
                /** @description `cursor` of a page of `GET /v1/movies` that begins with this movie; null: the first page does. */
                cursor: string | null;
                /** @example M */
                label: string;
            }[];
        };
        ResumeMark: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            position: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            updatedAt: string;
        };
        ResumePoint: {
            /**
             * @description Identifier of the entry; of a session, that of the session.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            id: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            position: number;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            duration: number;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            fileId: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            sessionId: string | null;
            /** @enum {unknown} */
            source: "playback" | "manual";
        };
        ResumePointPage: {
            items: components["schemas"]["ResumePoint"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        WatchlistMark: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            watchlist: boolean;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            addedAt: string | null;
        };
        /** @description Values of the filters of the movie list, among the available movies that the caller sees. */
        Facets: {
            /** @description Genres; the most frequent first. */
            genres: {
                value: string;
                count: number;
            }[];
            years: {
                value: number;
                count: number;
            }[];
            /** @description Video codecs; the most frequent first. */
            videoCodecs: {
                value: string;
                count: number;
            }[];
            /** @description Audio codecs; the most frequent first. */
            audioCodecs: {
                value: string;
                count: number;
            }[];
            /** @description Resolutions; the most frequent first. */
            resolutions: {
                value: string;
                count: number;
            }[];
            /** @description Languages of the films; the most frequent first. */
            languages: {
                value: string;
                count: number;
            }[];
        };
        Person: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            name: string;
            image: string | null;
            movies: {
                summary: components["schemas"]["MovieSummary"];
                /** @description Characters and jobs. */
                roles: string[];
            }[];
        };
        CollectionSummary: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            name: string;
            movieCount: number;
            /** @description Movies that the caller has watched; null without `view=card`. */
            watchedCount: number | null;
            /** @description Of the first movie that has a poster; with `view=card`. */
            images: {
                /**
                 * @description Path of the image.
                 * @example /api/images/V1StGXR8Z5jdHi6B1myTq
                 */
                poster: string | null;
                /**
                 * @description Mean colour of the image, to paint in its place until it comes; null until it is known.
                 * @example #7a2b1c
                 */
                posterTint: string | null;
            };
        };
        CollectionSummaryPage: {
            items: components["schemas"]["CollectionSummary"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        Collection: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            name: string;
            movieCount: number;
            /** @description In order of release. */
            movies: components["schemas"]["MovieSummary"][];
        };
        PersonSummary: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            name: string;
            image: string | null;
        };
        SearchResults: {
            /** @description By title, as `GET /v1/movies?q=` finds them. */
            movies: components["schemas"]["MovieSummary"][];
            /** @description Of the first hundred of these movies, those of most movies first. */
            people: components["schemas"]["PersonSummary"][];
            /** @description By name. */
            collections: components["schemas"]["CollectionSummary"][];
        };
        MovieMarkState: {
            watched: boolean;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            watchedAt: string | null;
            /** @description Seconds; 0 if there is no resume point. */
            position: number;
        };
        ChangedMovieMarks: {
            items: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                movieId: string;
                before: components["schemas"]["MovieMarkState"];
                after: components["schemas"]["MovieMarkState"];
            }[];
        };
        Movie: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            libraryId: string;
            title: string;
            originalTitle: string | null;
            /** @description Case-folded title without a leading article, for sorting. */
            sortTitle: string;
            year: number | null;
            /** @example 2019-05-01 */
            releaseDate: string | null;
            overview: string | null;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            duration: number | null;
            genres: string[];
            contentRating: string | null;
            rating: number | null;
            /** @enum {string|null} */
            resolution: "240p" | "360p" | "480p" | "720p" | "1080p" | "1440p" | "2160p" | null;
            hdr: string | null;
            images: {
                /**
                 * @description Path of the image.
                 * @example /api/images/V1StGXR8Z5jdHi6B1myTq
                 */
                poster: string | null;
                /**
                 * @description Path of the image.
                 * @example /api/images/V1StGXR8Z5jdHi6B1myTq
                 */
                backdrop: string | null;
                /**
                 * @description Path of the image.
                 * @example /api/images/V1StGXR8Z5jdHi6B1myTq
                 */
                logo: string | null;
                /**
                 * @description Mean colour of the image, to paint in its place until it comes; null until it is known.
                 * @example #7a2b1c
                 */
                posterTint: string | null;
                /**
                 * @description Mean colour of the image, to paint in its place until it comes; null until it is known.
                 * @example #7a2b1c
                 */
                backdropTint: string | null;
            };
            /** @enum {unknown} */
            availability: "available" | "missing";
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            addedAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            updatedAt: string;
            watched: boolean;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            watchedAt: string | null;
            playCount: number;
            /** @description Resume point in seconds; 0 if there is none. */
            position: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            lastPlayedAt: string | null;
            watchlist: boolean;
            tagline: string | null;
            countries: string[];
            studios: string[];
            languages: string[];
            tags: string[];
            collection: string | null;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            collectionId: string | null;
            externalIds: {
                tmdb: string | null;
                imdb: string | null;
            };
            match: {
                source: string;
                confidence: number;
                pinned: boolean;
            };
            files: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                name: string;
                /** @enum {string|null} */
                resolution: "240p" | "360p" | "480p" | "720p" | "1080p" | "1440p" | "2160p" | null;
                container: string | null;
                size: number;
                /**
                 * @description Seconds.
                 * @example 1830.5
                 */
                duration: number | null;
                available: boolean;
            }[];
            /** @description Whether thumbnails exist. */
            trickplay: boolean;
            subtitleLanguages: string[];
            audioLanguages: string[];
        };
        Credits: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            cast: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                personId: string;
                name: string;
                character: string | null;
                order: number;
                /**
                 * @description Path of the image.
                 * @example /api/images/V1StGXR8Z5jdHi6B1myTq
                 */
                image: string | null;
            }[];
            crew: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                personId: string;
                name: string;
                job: string;
                department: string;
                /**
                 * @description Path of the image.
                 * @example /api/images/V1StGXR8Z5jdHi6B1myTq
                 */
                image: string | null;
            }[];
        };
        /** @description Codecs and languages of every file. The top-level values are those of the primary file. */
        FileStats: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            container: string | null;
            size: number;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            duration: number | null;
            /** @description Bit/s. */
            bitrate: number | null;
            /** @enum {string|null} */
            resolution: "240p" | "360p" | "480p" | "720p" | "1080p" | "1440p" | "2160p" | null;
            width: number | null;
            height: number | null;
            videoCodec: string | null;
            audioCodec: string | null;
            files: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                name: string;
                /** @description Admins only. */
                path: string | null;
                container: string | null;
                size: number;
                /**
                 * @description Seconds.
                 * @example 1830.5
                 */
                duration: number | null;
                /** @description Bit/s. */
                bitrate: number | null;
                video: {
                    codec: string;
                    profile: string | null;
                    width: number;
                    height: number;
                    frameRate: number | null;
                    bitDepth: number;
                    hdr: string | null;
                    /** @description Bit/s. */
                    bitrate: number | null;
                }[];
                audio: {
                    codec: string;
                    channels: number;
                    language: string | null;
                    title: string | null;
                    default: boolean;
                }[];
                subtitles: {
                    codec: string;
                    language: string | null;
                    title: string | null;
                    forced: boolean;
                    default: boolean;
                    /** @description Whether the track is a file beside the media file. */
                    external: boolean;
                }[];
                chapters: {
                    /**
                     * @description Seconds.
                     * @example 1830.5
                     */
                    start: number;
                    title: string | null;
                }[];
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                modifiedAt: string;
                /** @description Identifies the same content after a move. */
                fingerprint: string;
            }[];
        };
        WatchedMark: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            watched: boolean;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            watchedAt: string | null;
            playCount: number;
        };
        Session: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            sessionId: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            userId: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            fileId: string;
            /** @enum {unknown} */
            state: "active" | "ended";
            /** @enum {unknown} */
            playState: "playing" | "paused" | "buffering";
            /**
             * @description Seconds.
             * @example 1830.5
             */
            position: number;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            duration: number;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            resumePosition: number | null;
            /** @description Has no query. Players that cannot set headers append `?token=`. */
            masterPlaylistUrl: string;
            fileUrl: string;
            trickplayUrl: string | null;
            decision: components["schemas"]["PlayDecision"];
            qualities: {
                /**
                 * @example original
                 * @example 720p
                 */
                name: string;
                height: number;
                bitrate: number;
                /** @enum {unknown} */
                method: "direct" | "remux" | "transcode";
            }[];
            subtitles: {
                index: number;
                language: string | null;
                title: string | null;
                forced: boolean;
                default: boolean;
                url: string;
            }[];
            /** @description Subtitles that can be burned in. Start a session with `subtitleIndex` set to one `index`. */
            burnable: {
                index: number;
                language: string | null;
                title: string | null;
                forced: boolean;
                default: boolean;
                /**
                 * @description `bitmap`: images, which can only be burned in; `styled`: text with its own fonts and positions; `text`: plain text.
                 * @enum {unknown}
                 */
                kind: "bitmap" | "styled" | "text";
            }[];
            /** @description Index of the subtitle that is burned into the video of this session. */
            burnIn: number | null;
            audio: {
                index: number;
                language: string | null;
                codec: string;
                channels: number;
                /** @description The track that the film plays unless another one is chosen. */
                default: boolean;
            }[];
            /** @description Chapters of the file. */
            chapters: {
                /**
                 * @description Seconds.
                 * @example 1830.5
                 */
                start: number;
                title: string | null;
            }[];
            /** @description Gain of streamed audio in dB; null: unchanged. */
            audioGain: number | null;
            /** @description Why the stream has stopped, for a person; null if it has not. */
            problem: string | null;
            heartbeatIntervalSeconds: number;
            /**
             * Format: date-time
             * @description When the session ends if no heartbeat arrives.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            createdAt: string;
            /** @description Opens the streams of this session, and nothing else, for four hours. */
            streamToken: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            streamTokenExpiresAt: string;
        };
        ActiveSession: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            sessionId: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            userId: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            /** @example V1StGXR8Z5jdHi6B1myTq */
            fileId: string;
            /** @enum {unknown} */
            state: "active" | "ended";
            /** @enum {unknown} */
            playState: "playing" | "paused" | "buffering";
            /**
             * @description Seconds.
             * @example 1830.5
             */
            position: number;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            duration: number;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            resumePosition: number | null;
            /** @description Has no query. Players that cannot set headers append `?token=`. */
            masterPlaylistUrl: string;
            fileUrl: string;
            trickplayUrl: string | null;
            decision: components["schemas"]["PlayDecision"];
            qualities: {
                /**
                 * @example original
                 * @example 720p
                 */
                name: string;
                height: number;
                bitrate: number;
                /** @enum {unknown} */
                method: "direct" | "remux" | "transcode";
            }[];
            subtitles: {
                index: number;
                language: string | null;
                title: string | null;
                forced: boolean;
                default: boolean;
                url: string;
            }[];
            /** @description Subtitles that can be burned in. Start a session with `subtitleIndex` set to one `index`. */
            burnable: {
                index: number;
                language: string | null;
                title: string | null;
                forced: boolean;
                default: boolean;
                /**
                 * @description `bitmap`: images, which can only be burned in; `styled`: text with its own fonts and positions; `text`: plain text.
                 * @enum {unknown}
                 */
                kind: "bitmap" | "styled" | "text";
            }[];
            /** @description Index of the subtitle that is burned into the video of this session. */
            burnIn: number | null;
            audio: {
                index: number;
                language: string | null;
                codec: string;
                channels: number;
                /** @description The track that the film plays unless another one is chosen. */
                default: boolean;
            }[];
            /** @description Chapters of the file. */
            chapters: {
                /**
                 * @description Seconds.
                 * @example 1830.5
                 */
                start: number;
                title: string | null;
            }[];
            /** @description Gain of streamed audio in dB; null: unchanged. */
            audioGain: number | null;
            /** @description Why the stream has stopped, for a person; null if it has not. */
            problem: string | null;
            heartbeatIntervalSeconds: number;
            /**
             * Format: date-time
             * @description When the session ends if no heartbeat arrives.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            createdAt: string;
            user: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                name: string;
            };
            /** @description Device of the client, or else its name. */
            device: string | null;
            movie: components["schemas"]["MovieSummary"];
        };
        ActiveSessionPage: {
            items: components["schemas"]["ActiveSession"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        HeartbeatAnswer: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            sessionId: string;
            /** @enum {unknown} */
            state: "active" | "ended";
            /** @enum {unknown} */
            playState: "playing" | "paused" | "buffering";
            /**
             * @description Seconds.
             * @example 1830.5
             */
            position: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            expiresAt: string;
            /** @description A new stream token if the old one expires within an hour, else null. */
            streamToken: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            streamTokenExpiresAt: string | null;
            /** @description Why the stream has stopped, for a person; null if it has not. */
            problem: string | null;
            /** @description Oldest first, repeated until `lastCommandId` acknowledges them. `reload`: load the master playlist again and continue at the position. */
            commands: components["schemas"]["PlayerCommand"][];
        };
        /** @description The cheapest method that the player supports: the file itself; video and audio copied into segments; video copied and audio transcoded; both transcoded. */
        PlayDecision: {
            /** @enum {unknown} */
            method: "direct" | "remux" | "transcode-audio" | "transcode";
            reasons: string[];
            /** @description Cheaper methods that are not possible, cheapest first, with the reasons. */
            rejected: {
                /** @enum {unknown} */
                method: "direct" | "remux" | "transcode-audio" | "transcode";
                reasons: string[];
            }[];
        };
        PlayerCommand: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /** @enum {unknown} */
            command: "pause" | "stop" | "message" | "reload";
            message: string | null;
        };
        ContinueItem: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            movieId: string;
            movie: components["schemas"]["MovieSummary"];
            /** @example V1StGXR8Z5jdHi6B1myTq */
            fileId: string;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            position: number;
            /**
             * @description Seconds.
             * @example 1830.5
             */
            duration: number;
            percent: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            updatedAt: string;
            device: string | null;
        };
        ContinueItemPage: {
            items: components["schemas"]["ContinueItem"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        Projection: {
            /** @example movies */
            name: string;
            /** @description A new version is rebuilt from the whole log while the old one still answers. */
            version: number;
            /**
             * @description Position of the last event that it has processed.
             * @example 18231
             */
            seq: string;
            /**
             * @description Seconds from the last event until it was visible; null before the first event.
             * @example 1830.5
             */
            lag: number | null;
            /**
             * @description `catching-up`: it processes older events; `waiting`: no projector keeps it.
             * @enum {unknown}
             */
            state: "live" | "catching-up" | "waiting";
            /**
             * @description The same for equal content, whatever the engine: the sum modulo 2^256 of the SHA-256 of each document in canonical JSON. Null while the view is filled, while it changes too fast to be read, and while a large one is still being read: ask again later.
             * @example 8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4
             */
            checksum: string | null;
            /** @description A rebuild that runs: until it ends, the documents before it are read and kept up to date. */
            rebuild: {
                /**
                 * @description Position of the last event in the new documents.
                 * @example 9000
                 */
                seq: string;
                /**
                 * @description Part of the log that they hold.
                 * @example 0.49
                 */
                progress: number;
            } | null;
        };
        ProjectionPage: {
            items: components["schemas"]["Projection"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        ServerInfo: {
            /**
             * @description Version of Marquee.
             * @example 1.0.0
             */
            version: string;
            /** @example v24.21.0 */
            nodeVersion: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            startedAt: string;
            /** @description Resident memory of this process. */
            memoryBytes: number;
            /** @description Whether requests can be answered, as at `/readyz`. */
            ready: boolean;
            /** @description Why not; null if it is ready. */
            reason: string | null;
            /** @description What is missing although the server answers requests. */
            warnings: string[];
            backup: {
                /**
                 * Format: date-time
                 * @description When the last backup that succeeded began; null if this node knows of none.
                 */
                lastSuccessAt: string | null;
                /** @description Events of the log in it; null if another process made it. */
                lastEvents: number | null;
                /** @description Why the last try failed; null if it did not. */
                lastFailure: string | null;
            };
            /** @description Transcode agents that announced themselves to this node in the last seconds. */
            agents: {
                /** @description Of its process. */
                name: string;
                /** @description Version of its ffmpeg; empty if it has none. */
                ffmpegVersion: string;
                /** @description Work that it does at once. A video of up to 720 lines takes one slot. */
                slots: number;
                freeSlots: number;
                /** @description Average of the last minute; 1: all cores are busy. */
                load: number;
                /** @description Video encoders that passed their test; null while they are tested. */
                encoders: {
                    /**
                     * @example libx264
                     * @example h264_vaapi
                     */
                    name: string;
                    /** @description Measured from 1080p to 720p, without other load. */
                    framesPerSecond: number;
                }[] | null;
                /** @description It is stopping, and takes no jobs. */
                leaving: boolean;
            }[];
            /** @description Transcoded segments on the disk of this node; null if it keeps none. */
            cache: {
                usedBytes: number;
                limitBytes: number;
            } | null;
            /** @description Settings of this node, as they hold. */
            settings: {
                /** @example MARQUEE_PORT */
                name: string;
                /** @description Null if it is not set, and if it is a secret. Of a connection string: the scheme. */
                value: string | null;
                /** @description Whether it has a value, which may be the default. */
                isSet: boolean;
                meaning: string;
            }[];
        };
        /** @description `disabledBecause`: `gone`: its receiver answered 410; `asked`: an administrator did it. */
        Webhook: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /** @description Null if its key is destroyed. */
            url: string | null;
            /**
             * @description Kinds of live events, as in `GET /api/events`: `movie.added`, `movie.*`, or `*`. Personal ones, such as watched marks, are not sent.
             * @example [
             *       "movie.added",
             *       "scan.*"
             *     ]
             */
            events: string[];
            /**
             * @description `json`: `{type, timestamp, data}`, with the data of the live event. The others: a message as the service takes it.
             * @enum {unknown}
             */
            template: "json" | "ntfy" | "discord" | "slack" | "home-assistant";
            /** @description Whether it gets events. It never gets those that happen while it is disabled. */
            enabled: boolean;
            /** @enum {string|null} */
            disabledBecause: "gone" | "asked" | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            updatedAt: string;
        };
        WebhookPage: {
            items: components["schemas"]["Webhook"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        NewWebhook: {
            /** @example V1StGXR8Z5jdHi6B1myTq */
            id: string;
            /** @description Null if its key is destroyed. */
            url: string | null;
            /**
             * @description Kinds of live events, as in `GET /api/events`: `movie.added`, `movie.*`, or `*`. Personal ones, such as watched marks, are not sent.
             * @example [
             *       "movie.added",
             *       "scan.*"
             *     ]
             */
            events: string[];
            /**
             * @description `json`: `{type, timestamp, data}`, with the data of the live event. The others: a message as the service takes it.
             * @enum {unknown}
             */
            template: "json" | "ntfy" | "discord" | "slack" | "home-assistant";
            /** @description Whether it gets events. It never gets those that happen while it is disabled. */
            enabled: boolean;
            /** @enum {string|null} */
            disabledBecause: "gone" | "asked" | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description Verifies the signatures. It is shown only here.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
        };
        WebhookTest: {
            /** @description The receiver answered with a status from 200 to 299. */
            delivered: boolean;
            /** @description Status of the answer; null: there was none. */
            status: number | null;
            /**
             * @description Why it was not delivered.
             * @example gave no answer within 10 s
             */
            reason: string | null;
        };
        WebhookDelivery: {
            /**
             * @description `webhook-id` of the request: the same in every try.
             * @example V1StGXR8Z5jdHi6B1myTq
             */
            id: string;
            /** @example movie.added */
            kind: string;
            /**
             * @description Position of the event in the log.
             * @example 18231
             */
            seq: string;
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            at: string;
            /**
             * @description `pending`: it is tried until three days after the first try; `parked`: all tries failed.
             * @enum {unknown}
             */
            state: "pending" | "delivered" | "parked";
            tries: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            lastTriedAt: string | null;
            /**
             * Format: date-time
             * @description Time of the next try, if those of the same subject before it are done. RFC 3339, UTC.
             * @example 2026-01-02T12:00:00.000Z
             */
            nextAt: string | null;
            /** @description Status of the last answer; null: there was none. */
            status: number | null;
            /**
             * @description Why the last try failed.
             * @example answered 500
             */
            reason: string | null;
        };
        WebhookDeliveryPage: {
            items: components["schemas"]["WebhookDelivery"][];
            /** @description Cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Number of items on all pages; only with `include=total`. */
            total?: number;
        };
        Home: {
            user: components["schemas"]["User"];
            /** @description The first libraries of `GET /v1/libraries`. */
            libraries: components["schemas"]["Library"][];
            /** @description The first movies of `GET /v1/playback/continue-watching`. */
            continueWatching: components["schemas"]["ContinueItem"][];
            /** @description The first movies of `GET /v1/movies/recently-added`. */
            recentlyAdded: components["schemas"]["MovieSummary"][];
            /** @description The first movies of `GET /v1/movies?watchlist=true&sort=addedAt`. */
            watchlist: components["schemas"]["MovieSummary"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ann@example.org",
                 *       "password": "correct horse"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: marquee-email
                     * @description 3 to 254 characters, not counting spaces around it.
                     * @example ann@example.org
                     */
                    email: string;
                    /** Format: password */
                    password: string;
                    /**
                     * @description Whether the cookie stays when the browser closes.
                     * @default true
                     */
                    rememberMe?: boolean;
                };
            };
        };
        responses: {
            /** @description Signed in: a Bearer token, and the session cookie. Or the account has a second factor: then no login is made yet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"] | components["schemas"]["SecondStep"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedOut"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Name of the server, and who can sign up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInOptions"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: marquee-name
                     * @description 1 to 200 characters, not counting spaces around it. Control characters, and characters that hide or reverse text, are refused.
                     */
                    name: string;
                    /**
                     * Format: marquee-email
                     * @description 3 to 254 characters, not counting spaces around it.
                     * @example ann@example.org
                     */
                    email: string;
                    /**
                     * Format: password
                     * @example correct horse
                     */
                    password: string;
                    /** @description `MARQUEE_SETUP_TOKEN`, required for the first account if it is set. */
                    setupToken?: string;
                };
            };
        };
        responses: {
            /** @description Signed up and signed in: a Bearer token, and the session cookie. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUp"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Login and user, or null. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentLogin"] | null;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 1,000 logins. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"][];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example V1StGXR8Z5jdHi6B1myTq */
                    id: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: password */
                    currentPassword: string;
                    /**
                     * Format: password
                     * @example correct horse
                     */
                    newPassword: string;
                    /**
                     * @description Whether all other logins end.
                     * @default false
                     */
                    revokeOtherSessions?: boolean;
                };
            };
        };
        responses: {
            /** @description The password is changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordChanged"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifySecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    challenge: string;
                    /**
                     * @description Six digits of the authenticator app, or a recovery code.
                     * @example 123456
                     */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Signed in: a Bearer token, and the session cookie. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorStatus"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    prepareSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse"
                 *     }
                 */
                "application/json": {
                    /** Format: password */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The secret and the codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSecondFactor"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    activateSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Six digits of the authenticator app, or a recovery code.
                     * @example 123456
                     */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: password */
                    password: string;
                    /**
                     * @description Six digits of the authenticator app, or a recovery code.
                     * @example 123456
                     */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceBackupCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: password */
                    password: string;
                    /**
                     * @description Six digits of the authenticator app, or a recovery code.
                     * @example 123456
                     */
                    code: string;
                };
            };
        };
        responses: {
            /** @description New codes; the earlier ones are void. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupCodes"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resetSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user signs in with the password alone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPasskeyRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    challenge: string;
                };
            };
        };
        responses: {
            /** @description The options of the browser. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequest"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    challenge: string;
                    /** @description `toJSON()` of the `PublicKeyCredential`. */
                    response: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Signed in: a Bearer token, and the session cookie. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most ten. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Passkey"][];
                    };
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ticket: string;
                    /** @example Key ring */
                    name: string;
                    /** @description `toJSON()` of the `PublicKeyCredential`. */
                    response: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Added. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    preparePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse"
                 *     }
                 */
                "application/json": {
                    /** Format: password */
                    password: string;
                };
            };
        };
        responses: {
            /** @description What the browser has to make. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewPasskey"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                passkeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It signs nobody in any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    beginSingleSignOn: {
        parameters: {
            query?: {
                /**
                 * @description Path of the page to show afterwards; default: `/`.
                 * @example /watchlist
                 */
                returnTo?: string;
                /** @description Sign nobody in, but link the account at the provider with the one that is signed in here. */
                link?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the identity provider; if it does not answer, to the page with `#sign-in=away`. */
            302: {
                headers: {
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    completeSingleSignOn: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                iss?: string;
                error?: string;
                error_description?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To a page, with the session cookie if somebody is signed in. */
            302: {
                headers: {
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSingleSignOn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SingleSignOnStatus"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    linkSingleSignOn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: password */
                    password: string;
                };
            };
        };
        responses: {
            /** @description Linked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unlinkSingleSignOn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You sign in with your password. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUserSingleSignOn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether the account is linked with one at the identity provider. */
                        linked: boolean;
                        /**
                         * Format: date-time
                         * @description Until when an administrator allows that a verified e-mail address links the account; may be in the past.
                         */
                        consentUntil: string | null;
                    };
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unlinkUserSingleSignOn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user signs in with the password. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    giveLinkConsent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether the account is linked with one at the identity provider. */
                        linked: boolean;
                        /**
                         * Format: date-time
                         * @description Until when an administrator allows that a verified e-mail address links the account; may be in the past.
                         */
                        consentUntil: string | null;
                    };
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    withdrawLinkConsent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Linking the account needs its password. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAccessTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessTokenList"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Home automation",
                 *       "scopes": [
                 *         "playback"
                 *       ],
                 *       "expiresInDays": 90,
                 *       "password": "correct horse"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: marquee-name
                     * @description 1 to 200 characters, not counting spaces around it. Control characters, and characters that hide or reverse text, are refused.
                     */
                    name: string;
                    /**
                     * @description What it may be used for; each includes `read`. `read`: read what you see. `playback`: play, and set marks, positions
                     *     and the watchlist. `write`: change your other data. `admin`: what administrators do, while you are one.
                     */
                    scopes: ("read" | "playback" | "write" | "admin")[];
                    /** @default 90 */
                    expiresInDays?: number;
                    /** Format: password */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The token. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewAccessToken"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked, and its playback sessions have ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Ann"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: marquee-email
                     * @description 3 to 254 characters, not counting spaces around it.
                     * @example ann@example.org
                     */
                    email?: string;
                    /**
                     * Format: marquee-name
                     * @description 1 to 200 characters, not counting spaces around it. Control characters, and characters that hide or reverse text, are refused.
                     */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lines of JSON. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    eraseMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse"
                 *     }
                 */
                "application/json": {
                    /** Format: password */
                    password: string;
                };
            };
        };
        responses: {
            /** @description You are erased. */
            202: {
                headers: {
                    /** @description Path of the new resource. */
                    location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The preferences, with their `ETag`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whatever your clients keep, such as languages: at most 16384 bytes of JSON. Nobody else can read it. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "audioLanguages": [
                 *         "de",
                 *         "en"
                 *       ],
                 *       "subtitles": true
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The preferences, with their `ETag`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
                /** @description Part of the name or the e-mail address. */
                q?: string;
                role?: "admin" | "user";
                enabled?: boolean;
                sort?: "name" | "createdAt" | "lastSeenAt";
                /** @description Default: `asc` for names, else `desc`. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within a day gets the first answer. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ann@example.org",
                 *       "name": "Ann",
                 *       "password": "correct horse",
                 *       "libraryAccess": "all"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: marquee-email
                     * @description 3 to 254 characters, not counting spaces around it.
                     * @example ann@example.org
                     */
                    email: string;
                    /**
                     * Format: marquee-name
                     * @description 1 to 200 characters, not counting spaces around it. Control characters, and characters that hide or reverse text, are refused.
                     */
                    name: string;
                    /**
                     * Format: password
                     * @example correct horse
                     */
                    password: string;
                    /** @enum {unknown} */
                    role?: "admin" | "user";
                    /**
                     * @description `selected`: only the libraries in `libraryIds`.
                     * @enum {unknown}
                     */
                    libraryAccess?: "all" | "selected";
                    libraryIds?: string[];
                    maxConcurrentStreams?: number | null;
                };
            };
        };
        responses: {
            /** @description The user. */
            201: {
                headers: {
                    /** @description Path of the new resource. */
                    location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeUser: {
        parameters: {
            query?: {
                erase?: boolean;
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is removed and erased. */
            202: {
                headers: {
                    /** @description Path of the new resource. */
                    location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Ann"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: marquee-email
                     * @description 3 to 254 characters, not counting spaces around it.
                     * @example ann@example.org
                     */
                    email?: string;
                    /**
                     * Format: marquee-name
                     * @description 1 to 200 characters, not counting spaces around it. Control characters, and characters that hide or reverse text, are refused.
                     */
                    name?: string;
                    enabled?: boolean;
                    /** @enum {unknown} */
                    role?: "admin" | "user";
                    /**
                     * @description `selected`: only the libraries in `libraryIds`.
                     * @enum {unknown}
                     */
                    libraryAccess?: "all" | "selected";
                    libraryIds?: string[];
                    maxConcurrentStreams?: number | null;
                };
            };
        };
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grantLibraries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "libraryAccess": "all",
                 *       "libraryIds": []
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `selected`: only the libraries in `libraryIds`.
                     * @enum {unknown}
                     */
                    libraryAccess: "all" | "selected";
                    libraryIds: string[];
                };
            };
        };
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: password
                     * @example correct horse
                     */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The password is changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLogins: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of logins. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserLoginPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                /** @example V1StGXR8Z5jdHi6B1myTq */
                loginId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The login is ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHome: {
        parameters: {
            query?: {
                /** @description Maximum number of movies in each list. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account, the libraries and the lists. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Home"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLibraries: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of libraries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LibraryPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createLibrary: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within a day gets the first answer. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Films",
                 *       "paths": [
                 *         "/media/films"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: marquee-name
                     * @description 1 to 200 characters, not counting spaces around it. Control characters, and characters that hide or reverse text, are refused.
                     */
                    name: string;
                    /** @description Folders of the library. Unavailable folders are accepted. */
                    paths?: string[];
                    /**
                     * Format: folder-path
                     * @description One folder, in place of `paths`.
                     */
                    path?: string;
                    /**
                     * @description BCP 47; default `en`.
                     * @example de
                     */
                    language?: string;
                    settings?: {
                        /** @description Whether the server watches the folders for changes. */
                        watchFiles?: boolean;
                        /** @description Minutes between scheduled scans; 0: no scheduled scans. */
                        scanIntervalMinutes?: number;
                        /** @description Whether thumbnails for the seek bar are made. */
                        trickplay?: boolean;
                        /** @description Whether images can be read without signing in, by their unguessable ids. */
                        publicImages?: boolean;
                    };
                } | unknown | unknown;
            };
        };
        responses: {
            /** @description The library. */
            201: {
                headers: {
                    /** @description Path of the new resource. */
                    location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Library"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLibrary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The library. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Library"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteLibrary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The library is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeLibrary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Films of the house"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: marquee-name
                     * @description 1 to 200 characters, not counting spaces around it. Control characters, and characters that hide or reverse text, are refused.
                     */
                    name?: string;
                    /** @description Folders of the library. Unavailable folders are accepted. */
                    paths?: string[];
                    /**
                     * Format: folder-path
                     * @description One folder, in place of `paths`.
                     */
                    path?: string;
                    /**
                     * @description BCP 47; default `en`.
                     * @example de
                     */
                    language?: string;
                    settings?: {
                        /** @description Whether the server watches the folders for changes. */
                        watchFiles?: boolean;
                        /** @description Minutes between scheduled scans; 0: no scheduled scans. */
                        scanIntervalMinutes?: number;
                        /** @description Whether thumbnails for the seek bar are made. */
                        trickplay?: boolean;
                        /** @description Whether images can be read without signing in, by their unguessable ids. */
                        publicImages?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description The library. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Library"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRemovedLibraries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The libraries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedLibraries"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restoreLibrary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The library. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Library"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLibraryStats: {
        parameters: {
            query?: {
                /** @description State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply. */
                asOf?: string;
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    /** @description With `asOf`: position of the last event that was included. */
                    "x-as-of-seq"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LibraryStats"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listFolders: {
        parameters: {
            query?: {
                /** @description Absolute path, without `..`. */
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The folders. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderList"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCurrentScan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scan"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startScan: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within a day gets the first answer. */
                "idempotency-key"?: string;
            };
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "mode": "incremental"
                 *     }
                 */
                "application/json": {
                    /**
                     * @default incremental
                     * @enum {unknown}
                     */
                    mode?: "incremental" | "full";
                    /** @description Folders to scan: absolute paths below a folder of the library. Default: all. */
                    paths?: string[];
                };
            };
        };
        responses: {
            /** @description The scan was started. */
            202: {
                headers: {
                    /** @description Path of the new resource. */
                    location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scan"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelScan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled scan. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scan"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listScans: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of scans. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listScanChanges: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                /** @example V1StGXR8Z5jdHi6B1myTq */
                scanId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanChangePage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getScan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                /** @example V1StGXR8Z5jdHi6B1myTq */
                scanId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scan"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMovies: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
                /** @description State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply. */
                asOf?: string;
                /** @description Only this movie; if repeated, any of the values matches. */
                id?: string[];
                /** @description Only movies of this library; if repeated, any of the values matches. */
                libraryId?: string[];
                /** @description Search text. Each word must be the beginning of a word in the title, the original title or the name of a person, with or without the punctuation in it. A text without letters and digits finds symbols that stand between spaces, for example `$` or `…`. */
                q?: string;
                /** @description Genre; if repeated, any of the values matches. */
                genre?: string[];
                /** @description Year; if repeated, any of the values matches. */
                year?: number[];
                yearFrom?: number;
                yearTo?: number;
                /** @description Person in cast or crew; if repeated, any of the values matches. */
                personId?: string[];
                /** @description Studio; if repeated, any of the values matches. */
                studio?: string[];
                /** @description Tag; if repeated, any of the values matches. */
                tag?: string[];
                /** @description Content rating; if repeated, any of the values matches. */
                contentRating?: string[];
                /** @description Language of the film; if repeated, any of the values matches. */
                language?: string[];
                /** @description Language of an audio track; if repeated, any of the values matches. */
                audioLanguage?: string[];
                /** @description Language of subtitles; if repeated, any of the values matches. */
                subtitleLanguage?: string[];
                /** @description Resolution; if repeated, any of the values matches. */
                resolution?: ("240p" | "360p" | "480p" | "720p" | "1080p" | "1440p" | "2160p")[];
                /** @description Video codec, as ffprobe prints it; if repeated, any of the values matches. */
                videoCodec?: string[];
                /** @description Kind of HDR; if repeated, any of the values matches. */
                hdr?: string[];
                minRating?: number;
                /** @description Seconds. */
                minDuration?: number;
                /** @description Seconds. */
                maxDuration?: number;
                /** @description Marked as watched by the caller. */
                watched?: boolean;
                /** @description On the caller’s continue-watching list. A watched movie that was started again is, too. */
                inProgress?: boolean;
                /** @description On the caller’s watchlist. */
                watchlist?: boolean;
                /** @description Collection; if repeated, any of the values matches. */
                collectionId?: string[];
                /**
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                addedAfter?: string;
                /**
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                addedBefore?: string;
                /** @description Default: `available`. */
                availability?: "available" | "missing" | "all";
                /** @description Whether an id, an .nfo or an administrator identifies the film. */
                matched?: boolean;
                sort?: "title" | "year" | "releaseDate" | "addedAt" | "rating" | "duration" | "lastPlayedAt" | "playCount" | "size" | "random";
                /** @description Default: `asc` for titles, else `desc`. */
                order?: "asc" | "desc";
                /** @description For `random`: the same seed gives the same order. */
                seed?: number;
                /** @description `card`: `overview`, `originalTitle` and `contentRating` are null, for lists that do not show them. */
                view?: "full" | "card";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of movies. */
            200: {
                headers: {
                    /** @description With `asOf`: position of the last event that was included. */
                    "x-as-of-seq"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovieSummaryPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRecentlyAdded: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
                /** @description Only movies of this library; if repeated, any of the values matches. */
                libraryId?: string[];
                /** @description `card`: `overview`, `originalTitle` and `contentRating` are null, for lists that do not show them. */
                view?: "full" | "card";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of movies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovieSummaryPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMovieAnchors: {
        parameters: {
            query?: {
                /** @description Movies from one anchor to the next. There are at most 1000 anchors. */
                every?: number;
                /** @description State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply. */
                asOf?: string;
                /** @description Only this movie; if repeated, any of the values matches. */
                id?: string[];
                /** @description Only movies of this library; if repeated, any of the values matches. */
                libraryId?: string[];
                /** @description Search text. Each word must be the beginning of a word in the title, the original title or the name of a person, with or without the punctuation in it. A text without letters and digits finds symbols that stand between spaces, for example `$` or `…`. */
                q?: string;
                /** @description Genre; if repeated, any of the values matches. */
                genre?: string[];
                /** @description Year; if repeated, any of the values matches. */
                year?: number[];
                yearFrom?: number;
                yearTo?: number;
                /** @description Person in cast or crew; if repeated, any of the values matches. */
                personId?: string[];
                /** @description Studio; if repeated, any of the values matches. */
                studio?: string[];
                /** @description Tag; if repeated, any of the values matches. */
                tag?: string[];
                /** @description Content rating; if repeated, any of the values matches. */
                contentRating?: string[];
                /** @description Language of the film; if repeated, any of the values matches. */
                language?: string[];
                /** @description Language of an audio track; if repeated, any of the values matches. */
                audioLanguage?: string[];
                /** @description Language of subtitles; if repeated, any of the values matches. */
                subtitleLanguage?: string[];
                /** @description Resolution; if repeated, any of the values matches. */
                resolution?: ("240p" | "360p" | "480p" | "720p" | "1080p" | "1440p" | "2160p")[];
                /** @description Video codec, as ffprobe prints it; if repeated, any of the values matches. */
                videoCodec?: string[];
                /** @description Kind of HDR; if repeated, any of the values matches. */
                hdr?: string[];
                minRating?: number;
                /** @description Seconds. */
                minDuration?: number;
                /** @description Seconds. */
                maxDuration?: number;
                /** @description Marked as watched by the caller. */
                watched?: boolean;
                /** @description On the caller’s continue-watching list. A watched movie that was started again is, too. */
                inProgress?: boolean;
                /** @description On the caller’s watchlist. */
                watchlist?: boolean;
                /** @description Collection; if repeated, any of the values matches. */
                collectionId?: string[];
                /**
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                addedAfter?: string;
                /**
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                addedBefore?: string;
                /** @description Default: `available`. */
                availability?: "available" | "missing" | "all";
                /** @description Whether an id, an .nfo or an administrator identifies the film. */
                matched?: boolean;
                sort?: "title" | "year" | "releaseDate" | "addedAt" | "rating" | "duration" | "lastPlayedAt" | "playCount" | "size" | "random";
                /** @description Default: `asc` for titles, else `desc`. */
                order?: "asc" | "desc";
                /** @description For `random`: the same seed gives the same order. */
                seed?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The anchors. */
            200: {
                headers: {
                    /** @description With `asOf`: position of the last event that was included. */
                    "x-as-of-seq"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovieAnchors"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMovie: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The movie. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Movie"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    editMovie: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        /** @description Members that are sent stay as they are, whatever scans find. Null means unknown. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "The Bridge",
                 *       "genres": [
                 *         "Drama",
                 *         "War"
                 *       ]
                 *     }
                 */
                "application/json": {
                    title?: string;
                    originalTitle?: string | null;
                    sortTitle?: string | null;
                    year?: number | null;
                    /** Format: date */
                    releaseDate?: string | null;
                    overview?: string | null;
                    tagline?: string | null;
                    contentRating?: string | null;
                    rating?: number | null;
                    genres?: string[];
                    tags?: string[];
                    countries?: string[];
                    studios?: string[];
                    languages?: string[];
                    collection?: string | null;
                };
            };
        };
        responses: {
            /** @description The movie after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Movie"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCredits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cast in order, and crew. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credits"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFileStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every file, the primary one first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileStats"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    markWatched: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "watchedAt": "2026-01-02T12:00:00.000Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description RFC 3339, UTC.
                     * @example 2026-01-02T12:00:00.000Z
                     */
                    watchedAt?: string;
                };
            };
        };
        responses: {
            /** @description The mark after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchedMark"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    markUnwatched: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mark after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchedMark"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    markMovies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "movieId": "V1StGXR8_Z5jdHi6B-myT",
                 *           "watched": true,
                 *           "watchedAt": "2026-01-02T12:00:00.000Z"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    items: {
                        /** @example V1StGXR8Z5jdHi6B1myTq */
                        movieId: string;
                        watched: boolean;
                        /**
                         * Format: date-time
                         * @description RFC 3339, UTC.
                         * @example 2026-01-02T12:00:00.000Z
                         */
                        watchedAt?: string | null;
                        /** @description Seconds. 0 clears the resume point. Without it, a movie marked as watched has none. */
                        position?: number | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description The marks before and after, in the order of the request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedMovieMarks"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listResumeHistory: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of positions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumePointPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setResumePoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "position": 1830.5
                 *     }
                 */
                "application/json": {
                    /** @description Seconds. */
                    position: number;
                };
            };
        };
        responses: {
            /** @description The resume point. Up to a second beyond the end counts as the end. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumeMark"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    clearResumePoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resume point is cleared. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addToWatchlist: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mark after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchlistMark"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeFromWatchlist: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mark after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchlistMark"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pinMatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        /** @description At least one of `tmdbId`, `imdbId` and `title`; `year` belongs to `title`. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "tmdbId": "12720"
                 *     }
                 */
                "application/json": {
                    /** @example 348 */
                    tmdbId?: string;
                    /** @example tt0078748 */
                    imdbId?: string;
                    title?: string;
                    year?: number | null;
                };
            };
        };
        responses: {
            /** @description The movie after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Movie"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMatchCandidates: {
        parameters: {
            query?: {
                /** @description Title. Default: that of the movie, as its files say. */
                q?: string;
                /** @description Films of this year only. Default: those of the year of the movie come first. */
                year?: number;
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The candidates. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchCandidateList"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMatchPoster: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As in `poster` of a candidate. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The poster. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFacets: {
        parameters: {
            query?: {
                /** @description Only movies of this library; if repeated, any of the values matches. */
                libraryId?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Values, each with the number of movies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Facets"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPerson: {
        parameters: {
            query?: {
                /** @description `card`: `overview`, `originalTitle` and `contentRating` are null, for lists that do not show them. */
                view?: "full" | "card";
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest 500 movies that the caller sees. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
                /** @description `card`: with `watchedCount` and `images`, which take a look at the films of each collection. */
                view?: "plain" | "card";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of collections. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionSummaryPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCollection: {
        parameters: {
            query?: {
                /** @description `card`: `overview`, `originalTitle` and `contentRating` are null, for lists that do not show them. */
                view?: "full" | "card";
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The movies that the caller sees. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description Search text. Each word must be the beginning of a word in the title, the original title or the name of a person, with or without the punctuation in it. A text without letters and digits finds symbols that stand between spaces, for example `$` or `…`. */
                q: string;
                /** @description Maximum number of results of each kind. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results of each kind. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResults"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startPlayback: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within a day gets the first answer. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "movieId": "V1StGXR8Z5jdHi6B1myTq",
                 *       "startPosition": 0,
                 *       "client": {
                 *         "name": "Living room",
                 *         "device": "TV"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @example V1StGXR8Z5jdHi6B1myTq */
                    movieId: string;
                    /** @example V1StGXR8Z5jdHi6B1myTq */
                    fileId?: string;
                    /**
                     * @description Seconds.
                     * @example 1830.5
                     */
                    startPosition?: number;
                    /** @description Quality that the player will request first. The server starts it at once. */
                    quality?: string;
                    /** @description Audio track to play first: the default of the master playlist. A player of the file itself chooses the track there. */
                    audioIndex?: number;
                    /** @description Subtitle to show first. A bitmap subtitle is burned into the video, so the video is transcoded. */
                    subtitleIndex?: number;
                    /**
                     * @description Burns in a text subtitle too, with its own styles and fonts.
                     * @default false
                     */
                    burnSubtitle?: boolean;
                    /**
                     * @description Capabilities of the player, with names as ffprobe prints them. Default: what every player supports.
                     * @example {
                     *       "containers": [
                     *         "mp4",
                     *         "matroska"
                     *       ],
                     *       "video": [
                     *         {
                     *           "codec": "hevc",
                     *           "level": 5.1,
                     *           "bitDepth": 10,
                     *           "hdr": [
                     *             "hdr10"
                     *           ]
                     *         },
                     *         {
                     *           "codec": "h264"
                     *         }
                     *       ],
                     *       "audio": [
                     *         {
                     *           "codec": "aac",
                     *           "maxChannels": 6
                     *         },
                     *         {
                     *           "codec": "eac3",
                     *           "maxChannels": 6
                     *         }
                     *       ],
                     *       "maxHeight": 2160
                     *     }
                     */
                    capabilities?: {
                        /**
                         * @description Containers of files that the player plays directly.
                         * @example [
                         *       "mp4",
                         *       "matroska",
                         *       "webm"
                         *     ]
                         */
                        containers?: string[];
                        /** @description Video that the player decodes. Default: 8-bit H.264. */
                        video?: {
                            codec: string;
                            profile?: string | null;
                            /** @description Level as the standard writes it, such as 4.1. */
                            level?: number | null;
                            /** @default 8 */
                            bitDepth?: number;
                            hdr?: ("hdr10" | "hlg" | "dolby-vision")[];
                        }[];
                        /** @description Audio that the player decodes, in addition to stereo AAC. */
                        audio?: {
                            codec: string;
                            /** @default 2 */
                            maxChannels?: number;
                        }[];
                        /** @description Lines of the shorter side. */
                        maxHeight?: number | null;
                        /** @description Bit/s. */
                        maxBitrate?: number | null;
                    };
                    /** @description Gain of streamed audio in dB, or `auto` for -16 LUFS. It never clips, and is positive only if the loudness was measured. The answer has the gain that applies. */
                    audioGain?: "auto" | number;
                    client?: {
                        name?: string | null;
                        version?: string | null;
                        device?: string | null;
                        deviceId?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    /** @description Path of the new resource. */
                    location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPlayback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endPlayback: {
        parameters: {
            query?: {
                /**
                 * @description Where playback stopped, in seconds. Default: the last position that was reported.
                 * @example 1830.5
                 */
                position?: number;
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listActivePlayback: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
                /** @description `all`: sessions of all users; administrators only. */
                scope?: "own" | "all";
                /** @description `card`: `overview`, `originalTitle` and `contentRating` are null, for lists that do not show them. */
                view?: "full" | "card";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActiveSessionPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendHeartbeat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "position": 1830.5,
                 *       "playState": "playing"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Seconds.
                     * @example 1830.5
                     */
                    position: number;
                    /** @enum {unknown} */
                    playState?: "playing" | "paused" | "buffering";
                    /** @description Playback rate; 1 is normal. */
                    rate?: number;
                    /** @description A heartbeat with a lower number than the last one is ignored. */
                    sequence?: number;
                    /**
                     * @description The last of `commands` that the player has executed.
                     * @example V1StGXR8Z5jdHi6B1myTq
                     */
                    lastCommandId?: string;
                };
            };
        };
        responses: {
            /** @description Commands and renewals for the player. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatAnswer"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    seek: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "position": 40
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Seconds.
                     * @example 1830.5
                     */
                    position: number;
                };
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    inspectPlayback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session, with its user and movie. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActiveSession"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    commandPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "command": "message",
                 *       "message": "Dinner is ready"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `message` requires the member `message`.
                     * @enum {unknown}
                     */
                    command: "pause" | "stop" | "message";
                    message?: string;
                };
            };
        };
        responses: {
            /** @description The command. The player executes it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerCommand"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    terminatePlayback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    message?: string;
                };
            };
        };
        responses: {
            /** @description The session is ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContinueWatching: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
                /** @description State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply. */
                asOf?: string;
                /** @description `card`: `overview`, `originalTitle` and `contentRating` are null, for lists that do not show them. */
                view?: "full" | "card";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of movies. */
            200: {
                headers: {
                    /** @description With `asOf`: position of the last event that was included. */
                    "x-as-of-seq"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContinueItemPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dismissContinueWatching: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                movieId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The movie is not on the list. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listHistory: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
                /**
                 * @description Viewings of this user. Only administrators may name others than themselves.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                userId?: string;
                /** @description `all`: of every user. For administrators. */
                scope?: "own" | "all";
                /** @example V1StGXR8Z5jdHi6B1myTq */
                movieId?: string;
                /** @example V1StGXR8Z5jdHi6B1myTq */
                libraryId?: string;
                /**
                 * @description Begun at or after this time.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                from?: string;
                /**
                 * @description Begun before this time.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                to?: string;
                /** @description Watched to the end. */
                completed?: boolean;
                /** @description Name of the client. */
                client?: string;
                source?: "playback" | "manual" | "import";
                /** @description State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply. */
                asOf?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of viewings. */
            200: {
                headers: {
                    /** @description With `asOf`: position of the last event that was included. */
                    "x-as-of-seq"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryEntryPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMovieHistory: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of viewings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryEntryPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getViewingTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The steps in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineStep"][];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    hideViewing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importHistory: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within a day gets the first answer. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": "trakt",
                 *       "items": [
                 *         {
                 *           "tmdbId": "12720",
                 *           "watchedAt": "2024-05-01T20:15:00Z"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The program that the items come from.
                     * @example trakt
                     */
                    source: string;
                    /**
                     * @description Of the first request, if this one goes on with it.
                     * @example V1StGXR8Z5jdHi6B1myTq
                     */
                    importId?: string;
                    /** @description Report the result without importing anything. */
                    dryRun?: boolean;
                    items: {
                        /** @example 348 */
                        tmdbId?: string | number;
                        /** @example tt0078748 */
                        imdbId?: string;
                        title?: string;
                        year?: number;
                        /**
                         * Format: date-time
                         * @description RFC 3339, UTC.
                         * @example 2026-01-02T12:00:00.000Z
                         */
                        watchedAt: string;
                        /**
                         * @description Where it was left. Without it, it was watched to its end.
                         * @example 1830.5
                         */
                        position?: number;
                        /** @description How often, if only the last time is known. */
                        plays?: number;
                        /** @description `plays` counts all viewings to then: those that the same source has brought before are not added again. */
                        tally?: boolean;
                        /**
                         * @description For how long somebody watched; counted in the figures.
                         * @example 1830.5
                         */
                        watchedSeconds?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description Result of the import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryImportResult"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listHistoryImports: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of imports, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryImportPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUnmatchedItems: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnmatchedItemPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    undoHistoryImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import is undone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportHistory: {
        parameters: {
            query?: {
                /**
                 * @description Viewings of this user. Only administrators may name others than themselves.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                userId?: string;
                /** @description `all`: of every user. For administrators. */
                scope?: "own" | "all";
                /** @example V1StGXR8Z5jdHi6B1myTq */
                movieId?: string;
                /** @example V1StGXR8Z5jdHi6B1myTq */
                libraryId?: string;
                /**
                 * @description Begun at or after this time.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                from?: string;
                /**
                 * @description Begun before this time.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                to?: string;
                /** @description Watched to the end. */
                completed?: boolean;
                /** @description Name of the client. */
                client?: string;
                source?: "playback" | "manual" | "import";
                format?: "json" | "csv" | "trakt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All entries, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryEntry"][] | components["schemas"]["TraktItem"][];
                    "text/csv": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMovieLife: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of steps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LifeEntryPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLibraryChanges: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
                /**
                 * @description At or after this time.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                from?: string;
                /**
                 * @description Before this time.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                to?: string;
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of movies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LibraryChangePage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAnalyticsOverview: {
        parameters: {
            query?: {
                /**
                 * @description Viewings of this user. Only administrators may name others than themselves.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                userId?: string;
                /** @description `all`: of every user. For administrators. */
                scope?: "own" | "all";
                /** @example V1StGXR8Z5jdHi6B1myTq */
                movieId?: string;
                /** @example V1StGXR8Z5jdHi6B1myTq */
                libraryId?: string;
                /**
                 * @description Begun at or after this time. Default: 30 days before `to`; at most five years before it.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                from?: string;
                /**
                 * @description Begun before this time. Default: the end of this quarter of an hour.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                to?: string;
                /** @description Watched to the end. */
                completed?: boolean;
                /** @description Name of the client. */
                client?: string;
                source?: "playback" | "manual" | "import";
                /** @description State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply. */
                asOf?: string;
                /** @description Time zone by its name in the IANA database, such as Europe/Berlin. */
                tz?: string;
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    /** @description With `asOf`: position of the last event that was included. */
                    "x-as-of-seq"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsOverview"];
                    "text/csv": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAnalyticsPlays: {
        parameters: {
            query?: {
                /**
                 * @description Viewings of this user. Only administrators may name others than themselves.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                userId?: string;
                /** @description `all`: of every user. For administrators. */
                scope?: "own" | "all";
                /** @example V1StGXR8Z5jdHi6B1myTq */
                movieId?: string;
                /** @example V1StGXR8Z5jdHi6B1myTq */
                libraryId?: string;
                /**
                 * @description Begun at or after this time. Default: 30 days before `to`; at most five years before it.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                from?: string;
                /**
                 * @description Begun before this time. Default: the end of this quarter of an hour.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                to?: string;
                /** @description Watched to the end. */
                completed?: boolean;
                /** @description Name of the client. */
                client?: string;
                source?: "playback" | "manual" | "import";
                /** @description State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply. */
                asOf?: string;
                /** @description Time zone by its name in the IANA database, such as Europe/Berlin. */
                tz?: string;
                format?: "json" | "csv";
                groupBy?: "day" | "week" | "month" | "hourOfDay" | "dayOfWeek" | "hourOfWeek";
                metric?: "plays" | "seconds" | "users";
                /** @description A series for each value that has most. */
                by?: "movie" | "user" | "client" | "library" | "method" | "resolution";
                /** @description Series. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    /** @description With `asOf`: position of the last event that was included. */
                    "x-as-of-seq"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsPlays"];
                    "text/csv": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAnalyticsTop: {
        parameters: {
            query?: {
                /**
                 * @description Viewings of this user. Only administrators may name others than themselves.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                userId?: string;
                /** @description `all`: of every user. For administrators. */
                scope?: "own" | "all";
                /** @example V1StGXR8Z5jdHi6B1myTq */
                movieId?: string;
                /** @example V1StGXR8Z5jdHi6B1myTq */
                libraryId?: string;
                /**
                 * @description Begun at or after this time. Default: 30 days before `to`; at most five years before it.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                from?: string;
                /**
                 * @description Begun before this time. Default: the end of this quarter of an hour.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                to?: string;
                /** @description Watched to the end. */
                completed?: boolean;
                /** @description Name of the client. */
                client?: string;
                source?: "playback" | "manual" | "import";
                /** @description State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply. */
                asOf?: string;
                /** @description Time zone by its name in the IANA database, such as Europe/Berlin. */
                tz?: string;
                format?: "json" | "csv";
                by?: "movie" | "user" | "client" | "library" | "method" | "resolution";
                metric?: "plays" | "seconds" | "users";
                /** @description Items. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    /** @description With `asOf`: position of the last event that was included. */
                    "x-as-of-seq"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsTop"];
                    "text/csv": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAnalyticsConcurrency: {
        parameters: {
            query?: {
                /**
                 * @description Viewings of this user. Only administrators may name others than themselves.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                userId?: string;
                /** @description `all`: of every user. For administrators. */
                scope?: "own" | "all";
                /** @example V1StGXR8Z5jdHi6B1myTq */
                movieId?: string;
                /** @example V1StGXR8Z5jdHi6B1myTq */
                libraryId?: string;
                /**
                 * @description Begun at or after this time. Default: 30 days before `to`; at most five years before it.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                from?: string;
                /**
                 * @description Begun before this time. Default: the end of this quarter of an hour.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                to?: string;
                /** @description Watched to the end. */
                completed?: boolean;
                /** @description Name of the client. */
                client?: string;
                source?: "playback" | "manual" | "import";
                /** @description State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply. */
                asOf?: string;
                /** @description Time zone by its name in the IANA database, such as Europe/Berlin. */
                tz?: string;
                format?: "json" | "csv";
                /** @description Maximum number of points. If the number changed more often, points are merged. */
                points?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    /** @description With `asOf`: position of the last event that was included. */
                    "x-as-of-seq"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsConcurrency"];
                    "text/csv": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAnalyticsFinish: {
        parameters: {
            query?: {
                /**
                 * @description Viewings of this user. Only administrators may name others than themselves.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                userId?: string;
                /** @description `all`: of every user. For administrators. */
                scope?: "own" | "all";
                /** @example V1StGXR8Z5jdHi6B1myTq */
                movieId?: string;
                /** @example V1StGXR8Z5jdHi6B1myTq */
                libraryId?: string;
                /**
                 * @description Begun at or after this time. Default: 30 days before `to`; at most five years before it.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                from?: string;
                /**
                 * @description Begun before this time. Default: the end of this quarter of an hour.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                to?: string;
                /** @description Watched to the end. */
                completed?: boolean;
                /** @description Name of the client. */
                client?: string;
                source?: "playback" | "manual" | "import";
                /** @description State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply. */
                asOf?: string;
                /** @description Time zone by its name in the IANA database, such as Europe/Berlin. */
                tz?: string;
                format?: "json" | "csv";
                /** @description Movies. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    /** @description With `asOf`: position of the last event that was included. */
                    "x-as-of-seq"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsFinish"];
                    "text/csv": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAnalyticsRewatched: {
        parameters: {
            query?: {
                /**
                 * @description Viewings of this user. Only administrators may name others than themselves.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                userId?: string;
                /** @description `all`: of every user. For administrators. */
                scope?: "own" | "all";
                /** @example V1StGXR8Z5jdHi6B1myTq */
                movieId?: string;
                /** @example V1StGXR8Z5jdHi6B1myTq */
                libraryId?: string;
                /**
                 * @description Begun at or after this time. Default: 30 days before `to`; at most five years before it.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                from?: string;
                /**
                 * @description Begun before this time. Default: the end of this quarter of an hour.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                to?: string;
                /** @description Watched to the end. */
                completed?: boolean;
                /** @description Name of the client. */
                client?: string;
                source?: "playback" | "manual" | "import";
                /** @description State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply. */
                asOf?: string;
                /** @description Time zone by its name in the IANA database, such as Europe/Berlin. */
                tz?: string;
                format?: "json" | "csv";
                /** @description Movies. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    /** @description With `asOf`: position of the last event that was included. */
                    "x-as-of-seq"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsRewatched"];
                    "text/csv": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAnalyticsYear: {
        parameters: {
            query?: {
                /**
                 * @description Viewings of this user. Only administrators may name others than themselves.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                userId?: string;
                /** @description `all`: of every user. For administrators. */
                scope?: "own" | "all";
                /** @description Time zone by its name in the IANA database, such as Europe/Berlin. */
                tz?: string;
                format?: "json" | "csv";
                /** @description State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply. */
                asOf?: string;
            };
            header?: never;
            path: {
                /** @example 2026 */
                year: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    /** @description With `asOf`: position of the last event that was included. */
                    "x-as-of-seq"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsYear"];
                    "text/csv": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMasterPlaylist: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Qualities, audio and subtitles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMediaPlaylist: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                sessionId: string;
                quality: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every segment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getIframePlaylist: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                sessionId: string;
                quality: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One frame per segment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                sessionId: string;
                quality: string;
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Fragmented MP4. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                    "audio/*": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSubtitle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                sessionId: string;
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A whole track, a segment of one, or the playlist of its segments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/vtt": string;
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTrickplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                sessionId: string;
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested file. The schema is that of `plan.json`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrickplayPlan"] | string;
                    "text/vtt": components["schemas"]["TrickplayPlan"] | string;
                    "application/vnd.apple.mpegurl": components["schemas"]["TrickplayPlan"] | string;
                    "image/jpeg": components["schemas"]["TrickplayPlan"] | string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            /** @description The file has not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The range lies outside the file. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgentSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            /** @description The file has not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The range lies outside the file. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getImage: {
        parameters: {
            query?: {
                /** @description Access token, for image elements. */
                token?: string;
                /** @description Width in pixels, rounded up to one of a few widths. Images are never enlarged. */
                w?: number;
                /** @description Height in pixels, rounded up likewise. */
                h?: number;
                /** @description If both are given: fill the box and crop the rest, or fit the whole image into it. */
                fit?: "cover" | "contain";
                /** @description Quality, rounded up to one of 40, 60, 80 and 95; default 80. */
                q?: number;
                /** @description auto: WebP if `Accept` names it, else JPEG, or PNG if the image has transparency. */
                format?: "auto" | "jpeg" | "webp" | "png";
                /** @description Version. With it, clients may cache the image for a year. */
                v?: string;
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                imageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description The image has not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                after?: string;
                /** @description Maximum number of items. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openEvents: {
        parameters: {
            query?: {
                /** @description Instead of the header `Last-Event-ID`. */
                lastEventId?: string;
                /**
                 * @description Kinds of events, separated by commas. Default: all.
                 * @example movie.*,scan.completed
                 */
                types?: string;
                /** @description `all`: playback of all users; administrators only. */
                scope?: "own" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. The response does not end. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
                /**
                 * @description Id of the user who did it.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                actorId?: string;
                /**
                 * @description Id of what it was done to.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                targetId?: string;
                /** @description Type of the event. Heartbeats are listed only with `type=PlaybackHeartbeat`. */
                type?: "AccessDenied" | "AccessTokenIssued" | "AccessTokenUsed" | "CheckpointKeyRotated" | "HistoryHidden" | "HistoryImportStarted" | "HistoryImportUndone" | "HistoryViewed" | "IdentityLinked" | "IdentityUnlinked" | "ImportItemsDropped" | "ImportItemsKept" | "KeyShredded" | "LibraryCameOnline" | "LibraryCreated" | "LibraryMassMissing" | "LibraryRemoved" | "LibraryRenamed" | "LibraryRestored" | "LibraryRootAdded" | "LibraryRootRemoved" | "LibrarySettingsChanged" | "LibraryWentOffline" | "LinkConsentGiven" | "LinkConsentWithdrawn" | "LogSealed" | "LoginExtended" | "LoginRevoked" | "LoginsExpired" | "MovieArtworkChosen" | "MovieCompleted" | "MovieDiscovered" | "MovieEdited" | "MovieFileAdded" | "MovieFileMissing" | "MovieFileMoved" | "MovieFileReplaced" | "MovieFileReturned" | "MovieIdentified" | "MovieImagesTinted" | "MovieMarkedUnwatched" | "MovieMarkedWatched" | "MovieMatchPinned" | "MovieMatchedOnline" | "MovieProbed" | "MovieUnmatchedOnline" | "MovieUnwatchlisted" | "MovieWatchlisted" | "NameClaimed" | "NameReleased" | "PasskeyAdded" | "PasskeyRemoved" | "PlaybackAdopted" | "PlaybackCommandIssued" | "PlaybackEncoderChanged" | "PlaybackEnded" | "PlaybackExpired" | "PlaybackHeartbeat" | "PlaybackSeeked" | "PlaybackStarted" | "RebuildRequested" | "RecoveryCodeUsed" | "RecoveryCodesReplaced" | "ResumePointDismissed" | "ResumePointSet" | "ScanCancelled" | "ScanCompleted" | "ScanFailed" | "ScanInterrupted" | "ScanProgressed" | "ScanRequested" | "ScanStarted" | "SecondFactorDisabled" | "SecondFactorEnabled" | "SecondFactorPrepared" | "SignInRefused" | "SignedIn" | "SignedOut" | "SigningSecretAdopted" | "TranscodeAssigned" | "TranscodeFailed" | "TranscodeReassigned" | "TranscodeRequested" | "TranscodeStopped" | "TrickplayMade" | "UserAccessChanged" | "UserDisabled" | "UserEmailChanged" | "UserEnabled" | "UserErased" | "UserPasswordChanged" | "UserPreferencesChanged" | "UserProfileChanged" | "UserRegistered" | "UserRemoved" | "UserRoleChanged" | "UserStreamLimitChanged" | "VaultAdopted" | "WatchImportUndone" | "WatchImported" | "WebhookAdded" | "WebhookChanged" | "WebhookDisabled" | "WebhookRemoved" | "WebhookRetryRequested";
                /**
                 * @description `X-Request-Id` of the answer.
                 * @example V1StGXR8Z5jdHi6B1myTq
                 */
                requestId?: string;
                /**
                 * @description RFC 3339, UTC.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                from?: string;
                /**
                 * @description RFC 3339, UTC; exclusive.
                 * @example 2026-01-02T12:00:00.000Z
                 */
                to?: string;
                /** @description Newest first by default. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOwnAudit: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
                /** @description Newest first by default. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A signed note. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCheckpointKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A verifier key of signed notes: name, hash and key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A signed note. */
                    checkpoint: string;
                };
            };
        };
        responses: {
            /** @description Whether the log still begins with the entries of the checkpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckpointVerdict"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getInclusionProof: {
        parameters: {
            query: {
                /** @description Number of the entry: from 1, without gaps. */
                seq: number;
                /** @description Entries in the tree. */
                size: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InclusionProof"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getConsistencyProof: {
        parameters: {
            query: {
                /** @description Size of the smaller tree. */
                from: number;
                /** @description Size of the larger tree. */
                to: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsistencyProof"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureReceipt"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProjections: {
        parameters: {
            query?: {
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All projections. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rebuildProjection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the projection.
                 * @example movies
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The projection, whose rebuild runs. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Projection"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All webhooks, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within a day gets the first answer. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.org/marquee",
                 *       "events": [
                 *         "movie.added"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description http or https, without a user name. Addresses that are not public are refused unless `MARQUEE_WEBHOOK_ALLOW` allows them; redirects are not followed.
                     * @example https://hooks.example.org/marquee
                     */
                    url: string;
                    /**
                     * @description Kinds of live events, as in `GET /api/events`: `movie.added`, `movie.*`, or `*`. Personal ones, such as watched marks, are not sent.
                     * @example [
                     *       "movie.added",
                     *       "scan.*"
                     *     ]
                     */
                    events: string[];
                    /**
                     * @description `json`: `{type, timestamp, data}`, with the data of the live event. The others: a message as the service takes it.
                     * @default json
                     * @enum {unknown}
                     */
                    template?: "json" | "ntfy" | "discord" | "slack" | "home-assistant";
                    /**
                     * @description `whsec_` and the base64 of 24 to 64 bytes. Default: a new one.
                     * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
                     */
                    secret?: string;
                };
            };
        };
        responses: {
            /** @description The webhook, with its secret. */
            201: {
                headers: {
                    /** @description Path of the new resource. */
                    location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": {
                    /**
                     * @description http or https, without a user name. Addresses that are not public are refused unless `MARQUEE_WEBHOOK_ALLOW` allows them; redirects are not followed.
                     * @example https://hooks.example.org/marquee
                     */
                    url?: string;
                    /**
                     * @description Kinds of live events, as in `GET /api/events`: `movie.added`, `movie.*`, or `*`. Personal ones, such as watched marks, are not sent.
                     * @example [
                     *       "movie.added",
                     *       "scan.*"
                     *     ]
                     */
                    events?: string[];
                    /**
                     * @description `json`: `{type, timestamp, data}`, with the data of the live event. The others: a message as the service takes it.
                     * @enum {unknown}
                     */
                    template?: "json" | "ntfy" | "discord" | "slack" | "home-assistant";
                    /**
                     * @description Replaces the secret.
                     * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
                     */
                    secret?: string;
                    /** @description Whether it gets events. It never gets those that happen while it is disabled. */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description The webhook, without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A precondition of the request does not hold. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Result of the test delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. Filters and order must be the same. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `total`: add the number of items on all pages. */
                include?: "total";
                /** @description `pending`: it is tried until three days after the first try; `parked`: all tries failed. */
                state?: "pending" | "delivered" | "parked";
            };
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries, the newest event first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example V1StGXR8Z5jdHi6B1myTq */
                id: string;
                /** @example V1StGXR8Z5jdHi6B1myTq */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be tried soon. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not exist, or the caller may not see it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerInfo"];
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testDownload: {
        parameters: {
            query?: {
                /** @description Number of bytes. */
                bytes?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was received. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bytes: number;
                        seconds: number;
                        bitsPerSecond: number;
                    };
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error. `details` lists every problem with its path. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server is ready, and what it shows is up to date. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                        /** @description When the last backup began that succeeded; left out if none is known. */
                        lastBackupAt?: string;
                        /** @description What is missing although the server answers requests. */
                        warnings?: string[];
                    };
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDescription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The response that the client has (`If-None-Match`) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Missing or invalid authentication. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests. Retry after `Retry-After` seconds. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable. Retry after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
