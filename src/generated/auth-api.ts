// Generated from spec/openapi-auth.yaml by `npm run generate -- contract`. Do not edit.

export interface paths {
    "/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description Returns an access token and sets the cookies. If the organization requires two-factor authentication and the user hasn't set it up, `organization.two_factor_setup_required` is true. A wrong password and an unknown user produce the same response in the same time (401). With two-factor authentication, a `code` is required as well: without it, or with a wrong one, the response is 400 with an error for `code`. After five wrong codes, only recovery codes are accepted for 15 minutes (429). The login starts in the organization that was used last. Returns 403 if the user belongs to no organization. Limited to 10 requests per minute for an account and 100 per minute for an address (429).
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew a login
         * @description Uses the refresh token from its cookie, returns a new access token, and sets new cookies. The old refresh token is no longer valid. Returns 401 if it is missing, expired, or already used.
         */
        post: operations["refreshLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends the session of the refresh cookie and clears the cookies. Also returns 204 without a session. Returns 200 with a URL if the login provider of the session is configured to end its own session, too; open that URL in the browser.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current user
         * @description The current user, the current organization, and the user's other organizations.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description Sets a new password and ends all other sessions of the user; this session continues with the returned token and new cookies. Returns 400 for a wrong `current_password`. With two-factor authentication, requires the refresh cookie of your session as well (401). Limited to 10 requests per minute for an account and 100 per minute for an address (429).
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with a reset link
         * @description Uses the token of a one-time link created by an administrator, sets the password, and ends all sessions of the user. Returns 404 if the token is unknown, used, or expired, if the administrator can no longer create such a link, if the role of the user has changed since, and if the account also belongs to another organization.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of two-factor authentication
         * @description Whether logins with your password need a code of an authenticator app.
         */
        get: operations["getTwoFactor"];
        put?: never;
        /**
         * Start setting up two-factor authentication
         * @description Returns a new secret for an authenticator app. Logins need no code until you confirm it. Returns 400 for a wrong password, and 409 if two-factor authentication is enabled or the account has no password. Requires the refresh cookie of your session as well (401). Limited to 10 requests per minute for an account (429).
         */
        post: operations["startTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/two-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable two-factor authentication
         * @description Checks the first code of your authenticator app, enables two-factor authentication, ends all other sessions of the user, and returns recovery codes. Returns 409 if the setup wasn't started. After five wrong codes, wait for 15 minutes (429). Requires the refresh cookie of your session as well (401).
         */
        post: operations["confirmTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/two-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace your recovery codes
         * @description Returns new recovery codes; the old ones stop working. Returns 409 if two-factor authentication is disabled. Requires the refresh cookie of your session as well (401).
         */
        post: operations["replaceRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/two-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable two-factor authentication
         * @description Afterward, your password alone logs you in. Organizations that require two-factor authentication then return 403 `two_factor_required` until you set it up again. Returns 409 if two-factor authentication is disabled. Requires the refresh cookie of your session as well (401).
         */
        post: operations["disableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch organization
         * @description Returns an access token for another organization of the user, in the same session. Returns 404 if the user doesn't belong to it. With the refresh cookie of this session, the refresh token is replaced and switches too; with only an access token, no new refresh token is issued. A reused refresh token ends the session (401).
         */
        post: operations["switchOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description The active sessions of the user in all organizations, most recently used first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{id}": {
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
         * End a session
         * @description Ends one of the user's sessions. Its refresh token, access tokens, and event streams end immediately. Ending the current session also clears the cookies. Returns 404 for other users' sessions.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/end-others": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all other sessions
         * @description Ends all sessions of the user except the current one.
         */
        post: operations["endOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ways to log in
         * @description The login providers of this server, and whether people can log in with a password. To log in with a provider, open its `login_url` in a browser.
         */
        get: operations["listLoginProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in with an operator's link
         * @description Uses the token of a link created with `pacekeeper admin login-link`, which works once within 15 minutes, even while password login is disabled. The session ends after 2 hours. Returns 404 if the token is unknown, used, or expired, and 403 if the user belongs to no organization.
         */
        post: operations["useLoginLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your linked logins
         * @description Your logins at login providers, and whether your account has a password.
         */
        get: operations["listIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/identities/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link a login
         * @description Returns the URL of the login provider and sets a cookie with which only this session can finish the link. Afterward, the login at the provider opens this account. Requires the refresh cookie of your session as well (401), and a code if your account has two-factor authentication (400). Returns 404 for an unknown provider, and 503 if it can't be reached. Limited to 10 requests per minute for an account (429).
         */
        post: operations["linkIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/identities/{id}": {
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
         * Unlink a login
         * @description Removes the login, the memberships that its groups granted, and the API keys created with them. Its sessions end. Returns 409 if it is the only way to log in to the account, or if an organization would lose its only owner.
         */
        delete: operations["unlinkIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chat-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your chat accounts
         * @description The Slack and Mattermost accounts that act on your behalf in the current organization, in the order in which they were linked.
         */
        get: operations["listChatAccounts"];
        put?: never;
        /**
         * Link a chat account
         * @description Links the chat account to which a button in a chat gave this link. Its button clicks then act on your behalf in the current organization, with your role at that time. The link works once, for 15 minutes. Requires the refresh cookie of your session as well (401), and a code if your account has two-factor authentication (400). Returns 404 if the link is unknown, used, or expired, or belongs to an organization you aren't in, and 409 if it belongs to another one of your organizations or the chat account is already linked. Limited to 10 requests per minute for an account (429).
         */
        post: operations["linkChatAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chat-accounts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a chat account link
         * @description Returns what would be linked, without using up the link. Returns 404 and 409 as `linkChatAccount` does. Limited to 10 requests per minute for an account (429).
         */
        post: operations["previewChatAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chat-accounts/{id}": {
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
         * Unlink a chat account
         * @description Its button clicks no longer act on your behalf.
         */
        delete: operations["unlinkChatAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/single-sign-on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get single sign-on of the organization
         * @description The login providers of this server, with the groups that have a role in the current organization.
         */
        get: operations["getSingleSignOn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a login waiting for approval
         * @description Returns 404 if the code is unknown, used, or expired. Limited to 10 requests per minute for an account (429).
         */
        get: operations["getDeviceLogin"];
        put?: never;
        /**
         * Start a login to approve in a browser
         * @description For programs: show `user_code` and `verification_url`, then request `/device/token` every `interval` seconds until a person has approved the login in a browser. Limited to 100 requests per minute for an address (429).
         */
        post: operations["startDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/device/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a login
         * @description Logs the program in to your account and current organization. Its session has the same limits as yours: with single sign-on, it ends at the same time. Requires the refresh cookie of your session as well (401). Returns 404 if the code is unknown, used, or expired. Limited to 10 requests per minute for an account (429).
         */
        post: operations["approveDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the session of an approved login
         * @description Returns 202 until the login is approved, then the session, once. Returns 404 if the login is unknown or expired, or if the session that approved it has ended. Limited to 60 requests per minute for a login (429).
         */
        post: operations["claimDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployment-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange an ID token of a CI job
         * @description Returns a token that can report the deployments that a trust allows, for five minutes. The ID token must be signed by the issuer of the trust with an asymmetric algorithm, be valid now and issued in the last 24 hours, and have only the audience of the trust. It can be exchanged once on the whole installation, whether by its `jti` or, without one, by its content. Returns 401 with the reason if the token isn't valid, and 403 if the trust doesn't allow it: its claims differ, or it belongs to a pull request or merge request, which can come from a fork. Returns 503 if the keys of the issuer can't be read. Limited to 300 requests per minute for an address and for a trust (429).
         */
        post: operations["exchangeDeploymentToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Uses the token of an invitation, which works once and for 7 days. A new account is created with `name` and `password`. An existing account only gains the membership and must be logged in. In every other case the response is 401 `login_required`, whether or not the invited address has an account: without a login and without `name` and `password`, with the login of another account, and with `name` and `password` for an address that has an account. Returns 404 if the token is unknown, used, or expired, or if the inviter can no longer assign the role; 409 if the user is already a member.
         */
        post: operations["acceptInvitation"];
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
        /**
         * @description The current six-digit code of your authenticator app, or an unused recovery code. Each works once.
         * @example 492039
         * @example BCDF-GHJK-LMNP-QRST
         */
        TwoFactorCode: string;
        /**
         * @description Email address and password, and a code if the account uses two-factor authentication.
         * @example {
         *       "email": "ada@example.com",
         *       "password": "correct horse battery staple",
         *       "code": "492039"
         *     }
         */
        LoginRequest: {
            /**
             * Format: email
             * @description Email address (case-insensitive).
             */
            email: string;
            /** @description The password. */
            password: string;
            /** @description Required if the account uses two-factor authentication. */
            code?: components["schemas"]["TwoFactorCode"];
        };
        /**
         * @description The user who is logged in.
         * @example {
         *       "id": 3,
         *       "email": "ada@example.com",
         *       "name": "Ada"
         *     }
         */
        AuthUser: {
            /**
             * Format: int64
             * @description ID of the user.
             */
            id: number;
            /** @description Email address. */
            email: string;
            /** @description Name. */
            name: string;
        };
        /**
         * @description What a member can do. `viewer`: read. `member`: also write pipeline resources. `admin`: also manage settings, keys, members, and read the audit log. `owner`: also manage owners.
         * @example viewer
         * @enum {string}
         */
        MemberRole: "viewer" | "member" | "admin" | "owner";
        /**
         * @description An organization that the user belongs to.
         * @example {
         *       "id": 2,
         *       "name": "Acme",
         *       "role": "admin",
         *       "two_factor_setup_required": false,
         *       "is_sample": false
         *     }
         */
        AuthOrganization: {
            /**
             * Format: int64
             * @description ID of the organization.
             */
            id: number;
            /** @description Name of the organization. */
            name: string;
            /** @description The user's role in it. */
            role: components["schemas"]["MemberRole"];
            /** @description Whether the user must set up two-factor authentication before this session can access the organization, which requires it for password logins. */
            two_factor_setup_required: boolean;
            /** @description Whether it's the sample data of the user. Everything in it is fictional, only the user can read it, and it can only be deleted. */
            is_sample: boolean;
        };
        /**
         * @description A login: the access token, its user, and its organization.
         * @example {
         *       "access_token": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIzIn0.c2ln",
         *       "token_type": "Bearer",
         *       "expires_in": 900,
         *       "user": {
         *         "id": 3,
         *         "email": "ada@example.com",
         *         "name": "Ada"
         *       },
         *       "organization": {
         *         "id": 2,
         *         "name": "Acme",
         *         "role": "admin",
         *         "two_factor_setup_required": false,
         *         "is_sample": false
         *       },
         *       "organizations": [
         *         {
         *           "id": 2,
         *           "name": "Acme",
         *           "role": "admin",
         *           "two_factor_setup_required": false,
         *           "is_sample": false
         *         }
         *       ]
         *     }
         */
        LoginResponse: {
            /** @description JWT for `Authorization: Bearer`. */
            access_token: string;
            /**
             * @description The kind of token.
             * @enum {string}
             */
            token_type: "Bearer";
            /** @description Seconds until the access token expires. */
            expires_in: number;
            user: components["schemas"]["AuthUser"];
            /** @description The current organization of this login. */
            organization: components["schemas"]["AuthOrganization"];
            /** @description All organizations of the user, by name. */
            organizations: components["schemas"]["AuthOrganization"][];
        };
        /**
         * @description A problem with one field or parameter.
         * @example {
         *       "field": "thresholds.high",
         *       "message": "must be greater than thresholds.moderate"
         *     }
         */
        FieldError: {
            /** @description Path of the field in the body, or name of the parameter. */
            field: string;
            /** @description The problem, for people. */
            message: string;
            /** @description Line within the field, if it is a template. */
            line?: number;
            /** @description Column within that line. */
            column?: number;
        };
        /**
         * @description The error format of the API, with the fields of RFC 9457. `code` is stable; the texts can change.
         * @example {
         *       "status": 400,
         *       "code": "validation_failed",
         *       "title": "The request is invalid.",
         *       "detail": "limit: must be at most 200",
         *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55",
         *       "errors": [
         *         {
         *           "field": "limit",
         *           "message": "must be at most 200"
         *         }
         *       ]
         *     }
         */
        ErrorResponse: {
            /** @description The HTTP status. */
            status: number;
            /**
             * @description The error code.
             * @enum {string}
             */
            code: "validation_failed" | "unauthenticated" | "login_required" | "forbidden" | "two_factor_required" | "not_found" | "method_not_allowed" | "conflict" | "in_use" | "request_in_progress" | "already_completed" | "lease_lost" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal" | "unavailable";
            /** @description The message for the code. */
            title: string;
            /** @description The cause and the fix. */
            detail: string;
            /** @description The request ID, also in `X-Request-Id` and in the log. */
            request_id: string;
            /** @description Only with `validation_failed`: the invalid fields. */
            errors?: components["schemas"]["FieldError"][];
            /** @description IDs of the organization's alert configurations: with `in_use`, those that use the resource; with `conflict`, the one with the same comparison. */
            alert_config_ids?: number[];
            /** @description The number of alert configurations, of which `alert_config_ids` names at most 20. */
            alert_config_count?: number;
            /** @description With `in_use`: IDs of the scrape jobs that the discovery job feeds. */
            scrape_job_ids?: number[];
            /** @description The number of scrape jobs, of which `scrape_job_ids` contains at most 20. */
            scrape_job_count?: number;
            /**
             * Format: int64
             * @description With `already_completed`, the ID of the resource that the first request with the `Idempotency-Key` created or changed. Absent if a server crash left it unknown.
             */
            resource_id?: number;
            /**
             * Format: int64
             * @description With `conflict`, the ID of the configuration that is being applied.
             */
            configuration_apply_id?: number;
        };
        /**
         * @description Where to log out of the login provider.
         * @example {
         *       "provider_logout_url": "https://login.example.com/logout?client_id=pacekeeper"
         *     }
         */
        LogoutResponse: {
            /**
             * Format: uri
             * @description The URL at which the browser ends its session at the login provider.
             */
            provider_logout_url: string;
        };
        /**
         * @description The current user and organization.
         * @example {
         *       "user": {
         *         "id": 3,
         *         "email": "ada@example.com",
         *         "name": "Ada"
         *       },
         *       "organization": {
         *         "id": 2,
         *         "name": "Acme",
         *         "role": "admin",
         *         "two_factor_setup_required": false,
         *         "is_sample": false
         *       },
         *       "organizations": [
         *         {
         *           "id": 2,
         *           "name": "Acme",
         *           "role": "admin",
         *           "two_factor_setup_required": false,
         *           "is_sample": false
         *         }
         *       ]
         *     }
         */
        Me: {
            user: components["schemas"]["AuthUser"];
            /** @description The current organization of this login. */
            organization: components["schemas"]["AuthOrganization"];
            /** @description All organizations of the user, by name. */
            organizations: components["schemas"]["AuthOrganization"][];
        };
        /**
         * @description A new password.
         * @example correct horse battery staple
         */
        NewPassword: string;
        /**
         * @description The current password and a new one.
         * @example {
         *       "current_password": "correct horse battery staple",
         *       "new_password": "a new and longer one"
         *     }
         */
        ChangePasswordRequest: {
            /** @description The current password. */
            current_password: string;
            new_password: components["schemas"]["NewPassword"];
        };
        /**
         * @description The token of a one-time reset link and a new password.
         * @example {
         *       "token": "3q2-7wAAAAAtoken",
         *       "new_password": "a new and longer one"
         *     }
         */
        ResetPasswordRequest: {
            /** @description The token from the link. */
            token: string;
            new_password: components["schemas"]["NewPassword"];
        };
        /**
         * @description Whether logins with your password need a code.
         * @example {
         *       "is_enabled": true,
         *       "enabled_at": "2026-03-15T08:00:00.000Z",
         *       "recovery_codes_left": 10
         *     }
         */
        TwoFactor: {
            /** @description Whether two-factor authentication is enabled. */
            is_enabled: boolean;
            /**
             * Format: date-time
             * @description When it was enabled.
             */
            enabled_at: string | null;
            /** @description How many of your recovery codes are unused. */
            recovery_codes_left: number;
        };
        /**
         * @description Your password.
         * @example {
         *       "password": "correct horse battery staple"
         *     }
         */
        StartTwoFactorRequest: {
            /** @description Your current password. */
            password: string;
        };
        /**
         * @description What to add to an authenticator app.
         * @example {
         *       "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
         *       "uri": "otpauth://totp/Pacekeeper:ada%40example.com?issuer=Pacekeeper&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30"
         *     }
         */
        StartTwoFactorResponse: {
            /** @description The secret in Base32 (160 bits). */
            secret: string;
            /** @description The same as an `otpauth://` URI, which apps read from a QR code. */
            uri: string;
        };
        /**
         * @description A code.
         * @example {
         *       "code": "492039"
         *     }
         */
        TwoFactorCodeRequest: {
            code: components["schemas"]["TwoFactorCode"];
        };
        /**
         * @description Your recovery codes. They're shown only this once.
         * @example {
         *       "recovery_codes": [
         *         "BCDF-GHJK-LMNP-QRST",
         *         "VWXZ-BCDF-GHJK-LMNP"
         *       ]
         *     }
         */
        RecoveryCodesResponse: {
            /** @description Ten codes. Each replaces a code from your authenticator app once. */
            recovery_codes: string[];
        };
        /**
         * @description The organization to act in.
         * @example {
         *       "organization_id": 2
         *     }
         */
        SwitchOrganizationRequest: {
            /**
             * Format: int64
             * @description ID of an organization of the user.
             */
            organization_id: number;
        };
        /**
         * @description ID and name of another resource.
         * @example {
         *       "id": 4,
         *       "name": "Traefik"
         *     }
         */
        NamedReference: {
            /**
             * Format: int64
             * @description ID of the resource.
             */
            id: number;
            /** @description Its name. */
            name: string;
        };
        /**
         * @description A session. It ends if it isn't renewed for 14 days. With single sign-on, it lasts at most 12 hours, and with an operator's login link, 2 hours.
         * @example {
         *       "id": 31,
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "last_used_at": "2026-03-15T09:30:00.000Z",
         *       "expires_at": "2026-03-29T09:30:00.000Z",
         *       "login_method": "password",
         *       "address": "203.0.113.7",
         *       "user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:138.0) Gecko/20100101 Firefox/138.0",
         *       "organization": {
         *         "id": 2,
         *         "name": "Acme"
         *       },
         *       "is_current": true
         *     }
         */
        Session: {
            /**
             * Format: int64
             * @description ID of the session. Renewals don't change it.
             */
            id: number;
            /**
             * Format: date-time
             * @description Time of the login.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the session was last renewed. A session in use is renewed every 15 minutes.
             */
            last_used_at: string;
            /**
             * Format: date-time
             * @description When the session ends if it isn't renewed.
             */
            expires_at: string;
            /**
             * @description How the session began.
             * @enum {string}
             */
            login_method: "password" | "single_sign_on" | "login_link";
            /** @description Client address of the last renewal. Null if it isn't known. */
            address: string | null;
            /** @description The `User-Agent` of the last renewal, limited to 256 printable ASCII characters. Null if it isn't known. Clients can send any text. */
            user_agent: string | null;
            /** @description The current organization of the session. */
            organization: components["schemas"]["NamedReference"];
            /** @description Whether the request came from this session. */
            is_current: boolean;
        };
        /**
         * @description One page of sessions, most recently used first.
         * @example {
         *       "items": [
         *         {
         *           "id": 31,
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "last_used_at": "2026-03-15T09:30:00.000Z",
         *           "expires_at": "2026-03-29T09:30:00.000Z",
         *           "login_method": "password",
         *           "address": "203.0.113.7",
         *           "user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:138.0) Gecko/20100101 Firefox/138.0",
         *           "organization": {
         *             "id": 2,
         *             "name": "Acme"
         *           },
         *           "is_current": true
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListSessionsResponse: {
            /** @description The sessions of this page. */
            items: components["schemas"]["Session"][];
            /** @description Total number of matches, up to 10,000. */
            total: number;
            /** @description False when more than 10,000 match. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description The number of ended sessions.
         * @example {
         *       "ended": 2
         *     }
         */
        EndOtherSessionsResponse: {
            /** @description Number of ended sessions. */
            ended: number;
        };
        /**
         * @description A login provider.
         * @example {
         *       "id": "corp",
         *       "name": "Example Corp",
         *       "login_url": "/sso/corp/login"
         *     }
         */
        LoginProvider: {
            /** @description ID of the provider in the configuration. */
            id: string;
            /** @description Name of the provider. */
            name: string;
            /** @description Path that starts a login in a browser, including the path of the server's public URL. The parameter `next` is the path to continue with, without the path of the public URL. */
            login_url: string;
        };
        /**
         * @description The ways to log in.
         * @example {
         *       "password_login": true,
         *       "providers": [
         *         {
         *           "id": "corp",
         *           "name": "Example Corp",
         *           "login_url": "/sso/corp/login"
         *         }
         *       ]
         *     }
         */
        ListLoginProvidersResponse: {
            /** @description Whether people can log in with a password. */
            password_login: boolean;
            /** @description The login providers, in the order of the configuration. */
            providers: components["schemas"]["LoginProvider"][];
        };
        /**
         * @description The token of a login link.
         * @example {
         *       "token": "3q2-7w…"
         *     }
         */
        UseLoginLinkRequest: {
            /** @description The token of the link. */
            token: string;
        };
        /**
         * @description A login at a login provider that opens this account.
         * @example {
         *       "id": 4,
         *       "provider": {
         *         "id": "corp",
         *         "name": "Example Corp"
         *       },
         *       "issuer": "https://login.example.com",
         *       "email": "ada@example.com",
         *       "last_login_at": "2026-03-15T08:00:00.000Z",
         *       "created_at": "2026-03-01T08:00:00.000Z",
         *       "is_current": true
         *     }
         */
        LinkedIdentity: {
            /**
             * Format: int64
             * @description ID of the linked login.
             */
            id: number;
            /** @description The login provider. Null if it's no longer configured. */
            provider: {
                /** @description ID of the provider in the configuration. */
                id: string;
                /** @description Name of the provider. */
                name: string;
            } | null;
            /** @description Issuer URL of the login provider. */
            issuer: string;
            /** @description Email address at the login provider. */
            email: string | null;
            /**
             * Format: date-time
             * @description Time of the last login.
             */
            last_login_at: string;
            /**
             * Format: date-time
             * @description When it was linked.
             */
            created_at: string;
            /** @description Whether the current session is a login with it. */
            is_current: boolean;
        };
        /**
         * @description Your linked logins.
         * @example {
         *       "items": [
         *         {
         *           "id": 4,
         *           "provider": {
         *             "id": "corp",
         *             "name": "Example Corp"
         *           },
         *           "issuer": "https://login.example.com",
         *           "email": "ada@example.com",
         *           "last_login_at": "2026-03-15T08:00:00.000Z",
         *           "created_at": "2026-03-01T08:00:00.000Z",
         *           "is_current": true
         *         }
         *       ],
         *       "has_password": false
         *     }
         */
        ListIdentitiesResponse: {
            /** @description The linked logins, oldest first. */
            items: components["schemas"]["LinkedIdentity"][];
            /** @description Whether the account has a password. */
            has_password: boolean;
        };
        /**
         * @description The login provider to link.
         * @example {
         *       "provider": "corp"
         *     }
         */
        LinkIdentityRequest: {
            /** @description ID of the login provider. */
            provider: string;
            /** @description Required if your account has two-factor authentication. */
            code?: components["schemas"]["TwoFactorCode"];
        };
        /**
         * @description Where to log in.
         * @example {
         *       "url": "https://login.example.com/authorize?client_id=pacekeeper"
         *     }
         */
        LinkIdentityResponse: {
            /**
             * Format: uri
             * @description URL of the login provider to open in this browser.
             */
            url: string;
        };
        /**
         * @description A Slack or Mattermost account whose button clicks act on behalf of this member.
         * @example {
         *       "id": 3,
         *       "platform": "slack",
         *       "workspace_name": "acme",
         *       "user_name": "ada",
         *       "last_used_at": null,
         *       "created_at": "2026-03-15T08:00:00.000Z"
         *     }
         */
        ChatAccount: {
            /**
             * Format: int64
             * @description ID of the chat account.
             */
            id: number;
            /**
             * @description The chat platform.
             * @enum {string}
             */
            platform: "slack" | "mattermost";
            /** @description Name of the Slack workspace or the Mattermost team. */
            workspace_name: string;
            /** @description Name of the account there. */
            user_name: string;
            /**
             * Format: date-time
             * @description Time of its last button click.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was linked.
             */
            created_at: string;
        };
        /**
         * @description Your chat accounts in the current organization.
         * @example {
         *       "items": [
         *         {
         *           "id": 3,
         *           "platform": "slack",
         *           "workspace_name": "acme",
         *           "user_name": "ada",
         *           "last_used_at": null,
         *           "created_at": "2026-03-15T08:00:00.000Z"
         *         }
         *       ]
         *     }
         */
        ListChatAccountsResponse: {
            /** @description The chat accounts. */
            items: components["schemas"]["ChatAccount"][];
        };
        /**
         * @description The link of a chat account.
         * @example {
         *       "token": "q0Xc2Yt9mLr3Vb8Nw5Zk7Hs1Pd4Gj6Fa0Qe2Ru9Ti3o"
         *     }
         */
        LinkChatAccountRequest: {
            /** @description The end of the link, after `#token=`. */
            token: string;
            /** @description Required if your account has two-factor authentication. */
            code?: components["schemas"]["TwoFactorCode"];
        };
        /**
         * @description The link of a chat account.
         * @example {
         *       "token": "q0Xc2Yt9mLr3Vb8Nw5Zk7Hs1Pd4Gj6Fa0Qe2Ru9Ti3o"
         *     }
         */
        PreviewChatAccountRequest: {
            /** @description The end of the link, after `#token=`. */
            token: string;
        };
        /**
         * @description A chat account that a link would connect.
         * @example {
         *       "platform": "slack",
         *       "workspace_name": "acme",
         *       "user_name": "ada",
         *       "chat_user_id": "U0A1B2C3D",
         *       "organization_name": "Acme"
         *     }
         */
        ChatAccountPreview: {
            /**
             * @description The chat platform.
             * @enum {string}
             */
            platform: "slack" | "mattermost";
            /** @description Name of the Slack workspace or the Mattermost team. For people of another Slack workspace in a shared channel, `another workspace (T…)` with its ID. */
            workspace_name: string;
            /** @description Name of the account there. */
            user_name: string;
            /** @description ID of the account there. Unlike names, people can't choose it. */
            chat_user_id: string;
            /** @description The organization in which its button clicks act on your behalf. */
            organization_name: string;
        };
        /**
         * @description Single sign-on of an organization.
         * @example {
         *       "password_login": true,
         *       "providers": [
         *         {
         *           "id": "corp",
         *           "name": "Example Corp",
         *           "issuer": "https://login.example.com",
         *           "redirect_uri": "https://pacekeeper.example.com/sso/corp/callback",
         *           "groups": [
         *             {
         *               "group": "platform-team",
         *               "role": "admin"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        SingleSignOn: {
            /** @description Whether people can log in with a password. */
            password_login: boolean;
            /** @description The login providers, in the order of the configuration. */
            providers: {
                /** @description ID of the provider in the configuration. */
                id: string;
                /** @description Name of the provider. */
                name: string;
                /** @description Issuer URL. */
                issuer: string;
                /** @description Redirect URI to register at the provider. */
                redirect_uri: string;
                /** @description Groups with a role in this organization. */
                groups: {
                    /** @description Name of the group. `*` means everyone. */
                    group: string;
                    /**
                     * @description Role of its members.
                     * @enum {string}
                     */
                    role: "viewer" | "member" | "admin";
                }[];
            }[];
        };
        /**
         * @description A login waiting for approval.
         * @example {
         *       "user_code": "WDJB-MJHT",
         *       "address": "203.0.113.7",
         *       "user_agent": "pacekeeper/1.0.0",
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "expires_at": "2026-03-15T08:10:00.000Z"
         *     }
         */
        DeviceLogin: {
            /** @description The code that the program shows. */
            user_code: string;
            /** @description Client address of the program. */
            address: string | null;
            /** @description The `User-Agent` of the program, limited to 256 printable ASCII characters. */
            user_agent: string | null;
            /**
             * Format: date-time
             * @description When it was started.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
        };
        /**
         * @description A login waiting for approval.
         * @example {
         *       "device_code": "3q2-7w…",
         *       "user_code": "WDJB-MJHT",
         *       "verification_url": "https://pacekeeper.example.com/device?code=WDJB-MJHT",
         *       "expires_in": 600,
         *       "interval": 3
         *     }
         */
        StartDeviceLoginResponse: {
            /** @description Secret of the program. Don't show it. */
            device_code: string;
            /** @description Code to show. The browser shows the same one. */
            user_code: string;
            /**
             * Format: uri
             * @description URL to open in a browser.
             */
            verification_url: string;
            /** @description Seconds until the login expires. */
            expires_in: number;
            /** @description Seconds to wait between requests. */
            interval: number;
        };
        /**
         * @description The login to approve.
         * @example {
         *       "user_code": "WDJB-MJHT"
         *     }
         */
        ApproveDeviceLoginRequest: {
            /** @description The code that the program shows. Case, spaces, and dashes are ignored. */
            user_code: string;
        };
        /**
         * @description The secret of a started login.
         * @example {
         *       "device_code": "3q2-7w…"
         *     }
         */
        ClaimDeviceLoginRequest: {
            /** @description The secret from the start. */
            device_code: string;
        };
        /**
         * @description The login isn't approved yet.
         * @example {
         *       "interval": 3
         *     }
         */
        DeviceLoginWaits: {
            /** @description Seconds to wait before the next request. */
            interval: number;
        };
        /**
         * @description The ID token of a CI job, and the trust that allows it.
         * @example {
         *       "trust": "q3Jk0c1vQ2m9Zk3v0bW1Qw",
         *       "id_token": "eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2V4YW1wbGUub3JnIn0.c2ln"
         *     }
         */
        ExchangeDeploymentTokenRequest: {
            /** @description The `code` of the trust. */
            trust: string;
            /** @description The ID token that the CI platform issued to the job, as a signed JWT. It can be used once. */
            id_token: string;
        };
        /**
         * @description An exact value, or a value with one `*` in a segment. Segments are separated by `/` and `:`.
         * @example acme/checkout
         */
        TrustPattern: string;
        /**
         * @description A token that can report the deployments that the trust allows.
         * @example {
         *       "access_token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0In0.c2ln",
         *       "token_type": "Bearer",
         *       "expires_in": 300,
         *       "services": [
         *         "checkout"
         *       ],
         *       "environments": [
         *         "production"
         *       ]
         *     }
         */
        ExchangeDeploymentTokenResponse: {
            /** @description JWT for `Authorization: Bearer`, for `POST /deployments` and `POST /deployments/events` only. */
            access_token: string;
            /**
             * @description The kind of token.
             * @enum {string}
             */
            token_type: "Bearer";
            /** @description Seconds until the token expires. */
            expires_in: number;
            /** @description Services whose deployments the token can report. */
            services: components["schemas"]["TrustPattern"][];
            /** @description Environments to which the token can report deployments. */
            environments: components["schemas"]["TrustPattern"][];
        };
        /**
         * @description A display name; doesn't need to be unique. Surrounding whitespace is removed before its length is checked.
         * @example Ingress controller
         */
        Name: string;
        /**
         * @description The token of an invitation. For a new account, also the name and password.
         * @example {
         *       "token": "3q2-7wAAAAAtoken",
         *       "name": "Ada",
         *       "password": "correct horse battery staple"
         *     }
         */
        AcceptInvitationRequest: {
            /** @description The token from the link. */
            token: string;
            name?: components["schemas"]["Name"];
            /** @description The password of a new account. Existing accounts keep their password. */
            password?: components["schemas"]["NewPassword"];
        };
    };
    responses: {
        /** @description The path exists but doesn't support this method. */
        MethodNotAllowed: {
            headers: {
                /**
                 * @description The supported methods, separated by commas.
                 * @example GET, POST
                 */
                Allow: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 405,
                 *       "code": "method_not_allowed",
                 *       "title": "Method not allowed.",
                 *       "detail": "Method not allowed. Use a method listed in the Allow header.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body or a parameter is invalid. `errors` lists each field and its problem. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 400,
                 *       "code": "validation_failed",
                 *       "title": "The request is invalid.",
                 *       "detail": "limit: must be at most 200",
                 *       "errors": [
                 *         {
                 *           "field": "limit",
                 *           "message": "must be at most 200"
                 *         }
                 *       ],
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Credentials are missing or invalid (`unauthenticated`), or the operation requires a login instead of an API key (`login_required`). `detail` names the reason, such as an access token that has expired or an API key that was revoked, and what to do. */
        Unauthorized: {
            headers: {
                /**
                 * @description How to authenticate. API keys are sent in `X-API-Key`, which has no registered scheme.
                 * @example Bearer realm="Pacekeeper"
                 */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 401,
                 *       "code": "unauthenticated",
                 *       "title": "Authentication failed.",
                 *       "detail": "The access token has expired. Refresh it or log in again.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The caller's role doesn't allow this, or the resource is global and the caller isn't a system key. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 403,
                 *       "code": "forbidden",
                 *       "title": "You don't have permission to do this.",
                 *       "detail": "This requires the admin role.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body is too large: the limit is 1 MiB unless the operation says otherwise, and 16 KiB for operations that require no credentials or have no request body. `detail` gives the limit. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 413,
                 *       "code": "payload_too_large",
                 *       "title": "The request body is too large.",
                 *       "detail": "The request body exceeds 1048576 bytes.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body isn't `application/json`. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 415,
                 *       "code": "unsupported_media_type",
                 *       "title": "The request body must be JSON.",
                 *       "detail": "The request body must be JSON. Send Content-Type: application/json.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Too many requests with this credential, or too many failed authentication attempts from this address. */
        RateLimited: {
            headers: {
                /**
                 * @description Seconds to wait before the next request.
                 * @example 3
                 */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 429,
                 *       "code": "rate_limited",
                 *       "title": "Too many requests.",
                 *       "detail": "Too many requests. Wait for the number of seconds in Retry-After, then retry.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Internal error. Look up the request ID in the server log. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 500,
                 *       "code": "internal",
                 *       "title": "Internal server error.",
                 *       "detail": "Internal server error. Try again. If it keeps failing, report the request ID.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The service is temporarily unavailable: it is starting or stopping, it has lost its database connection, or the database took too long to respond. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 503,
                 *       "code": "unavailable",
                 *       "title": "The service is temporarily unavailable.",
                 *       "detail": "The service is temporarily unavailable. Try again shortly.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Not found in the caller's organization. Resources of other organizations return the same response. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 404,
                 *       "code": "not_found",
                 *       "title": "Not found.",
                 *       "detail": "Not found. Check the ID. The resource may be deleted or belong to another organization.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The resource's state doesn't allow this (`conflict`), or it is in use (`in_use`, with the IDs of at most 20 of them and a count). A `conflict` between alert configurations names the other one in the same fields. With an `Idempotency-Key`, also if the first request is in progress (`request_in_progress`, with `Retry-After`) or its response can't be returned again (`already_completed`, with `resource_id`). */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 409,
                 *       "code": "in_use",
                 *       "title": "The resource is in use.",
                 *       "detail": "2 alert configurations use this job. Delete them first, or add ?cascade=true.",
                 *       "alert_config_ids": [
                 *         7,
                 *         9
                 *       ],
                 *       "alert_config_count": 2,
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: {
        /**
         * @description Maximum number of items to return.
         * @example 50
         */
        Limit: number;
        /**
         * @description Number of items to skip. Past the end, the list is empty.
         * @example 0
         */
        Offset: number;
        /**
         * @description Position after which the page starts, from the `Link` header of the previous page. It's valid only with the same path, filters, and `sort`, and can't be combined with `offset`. Unlike an offset, it doesn't move when items are added or removed before it.
         * @example WyJhYmNkZWZnaGlqa2wiLCI0MiJd
         */
        Cursor: string;
        /**
         * @description The ID of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
         * @example 42
         */
        Id: number;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The URL of the next page with `rel="next"` (RFC 8288), as a path on this server. Absent if the list ends with this page. The last page can be empty.
         * @example </api/v1/client/rules?limit=50&cursor=WyJhYmNkZWZnaGlqa2wiLCI0MiJd>; rel="next"
         */
        Link: string;
        /**
         * @description The path of the created resource.
         * @example /api/v1/client/rules/12
         */
        Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description The login. */
            200: {
                headers: {
                    /**
                     * @description `pacekeeper_session` (the access token) and `pacekeeper_refresh` (14 days), both `HttpOnly; SameSite=Strict`. Over HTTPS, they are `Secure` and their names begin with `__Host-`.
                     * @example __Host-pacekeeper_refresh=…; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=1209600
                     */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    refreshLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The renewed login. */
            200: {
                headers: {
                    /**
                     * @description `pacekeeper_session` (the access token) and `pacekeeper_refresh` (14 days), both `HttpOnly; SameSite=Strict`. Over HTTPS, they are `Secure` and their names begin with `__Host-`.
                     * @example __Host-pacekeeper_refresh=…; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=1209600
                     */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session ended. The browser must still end the session at the login provider. */
            200: {
                headers: {
                    /**
                     * @description Clears both cookies.
                     * @example __Host-pacekeeper_refresh=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0
                     */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutResponse"];
                };
            };
            /** @description The session is ended. */
            204: {
                headers: {
                    /**
                     * @description Clears both cookies.
                     * @example __Host-pacekeeper_refresh=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0
                     */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
            /** @description The current user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description The renewed login. */
            200: {
                headers: {
                    /**
                     * @description `pacekeeper_session` (the access token) and `pacekeeper_refresh` (14 days), both `HttpOnly; SameSite=Strict`. Over HTTPS, they are `Secure` and their names begin with `__Host-`.
                     * @example __Host-pacekeeper_refresh=…; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=1209600
                     */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordRequest"];
            };
        };
        responses: {
            /** @description The password is set. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTwoFactor: {
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
                    "application/json": components["schemas"]["TwoFactor"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartTwoFactorRequest"];
            };
        };
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartTwoFactorResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TwoFactorCodeRequest"];
            };
        };
        responses: {
            /** @description The recovery codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TwoFactorCodeRequest"];
            };
        };
        responses: {
            /** @description The new recovery codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TwoFactorCodeRequest"];
            };
        };
        responses: {
            /** @description Two-factor authentication is disabled. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    switchOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwitchOrganizationRequest"];
            };
        };
        responses: {
            /** @description The login in the other organization. */
            200: {
                headers: {
                    /**
                     * @description `pacekeeper_session` (the access token) and `pacekeeper_refresh` (14 days), both `HttpOnly; SameSite=Strict`. Over HTTPS, they are `Secure` and their names begin with `__Host-`.
                     * @example __Host-pacekeeper_refresh=…; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=1209600
                     */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of items to return.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip. Past the end, the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Position after which the page starts, from the `Link` header of the previous page. It's valid only with the same path, filters, and `sort`, and can't be combined with `offset`. Unlike an offset, it doesn't move when items are added or removed before it.
                 * @example WyJhYmNkZWZnaGlqa2wiLCI0MiJd
                 */
                cursor?: components["parameters"]["Cursor"];
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
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSessionsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
                 * @example 42
                 */
                id: components["parameters"]["Id"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of ended sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndOtherSessionsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLoginProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways to log in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListLoginProvidersResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    useLoginLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UseLoginLinkRequest"];
            };
        };
        responses: {
            /** @description The login. */
            200: {
                headers: {
                    /**
                     * @description `pacekeeper_session` (the access token) and `pacekeeper_refresh` (14 days), both `HttpOnly; SameSite=Strict`. Over HTTPS, they are `Secure` and their names begin with `__Host-`.
                     * @example __Host-pacekeeper_refresh=…; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=1209600
                     */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The linked logins. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListIdentitiesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    linkIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkIdentityRequest"];
            };
        };
        responses: {
            /** @description Where to log in. */
            200: {
                headers: {
                    /**
                     * @description The started login, valid for 10 minutes (`HttpOnly; SameSite=Lax`), and a new access token, because only the session that started the link completes it.
                     * @example __Host-pacekeeper_sso_kW3r…=…; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=600
                     */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkIdentityResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unlinkIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
                 * @example 42
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The login is unlinked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listChatAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chat accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListChatAccountsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    linkChatAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkChatAccountRequest"];
            };
        };
        responses: {
            /** @description The linked chat account. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAccount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewChatAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewChatAccountRequest"];
            };
        };
        responses: {
            /** @description The chat account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAccountPreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unlinkChatAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
                 * @example 42
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chat account is unlinked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
            /** @description The login providers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SingleSignOn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDeviceLogin: {
        parameters: {
            query: {
                /**
                 * @description The code that the program shows. Case, spaces, and dashes are ignored.
                 * @example WDJB-MJHT
                 */
                user_code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The login. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLogin"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startDeviceLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The started login, valid for 10 minutes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartDeviceLoginResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveDeviceLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApproveDeviceLoginRequest"];
            };
        };
        responses: {
            /** @description The login is approved. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    claimDeviceLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimDeviceLoginRequest"];
            };
        };
        responses: {
            /** @description The login. */
            200: {
                headers: {
                    /**
                     * @description `pacekeeper_session` (the access token) and `pacekeeper_refresh` (14 days), both `HttpOnly; SameSite=Strict`. Over HTTPS, they are `Secure` and their names begin with `__Host-`.
                     * @example __Host-pacekeeper_refresh=…; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=1209600
                     */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            /** @description The login isn't approved yet. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLoginWaits"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exchangeDeploymentToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExchangeDeploymentTokenRequest"];
            };
        };
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangeDeploymentTokenResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description A login in the organization. */
            200: {
                headers: {
                    /**
                     * @description `pacekeeper_session` (the access token) and `pacekeeper_refresh` (14 days), both `HttpOnly; SameSite=Strict`. Over HTTPS, they are `Secure` and their names begin with `__Host-`.
                     * @example __Host-pacekeeper_refresh=…; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=1209600
                     */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}

/** The shapes of all bodies, by name. */
export type Schemas = components['schemas'];
