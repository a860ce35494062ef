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
         * @description Answers an access token and sets the cookies. A wrong password and an unknown user are answered the same way and in the same time (401). It acts in the organization that was used last. 403 when the user belongs to none. At most 10 a minute for an account and 100 a minute for an address (429).
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
         * @description Takes the refresh token from its cookie, answers a new access token and sets new cookies. The old refresh token is void from then on. 401 when it is missing, expired, or was used before.
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
         * @description Ends the login that the refresh cookie names and clears the cookies. It answers 204 also when there is none.
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
         * Get the user who is logged in
         * @description Who is logged in, in which organization, and which others there are.
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
         * Change the own password
         * @description Sets a new password and ends all other logins of the user; this one goes on with the answered token and new cookies. A wrong `current_password` is answered 400. At most 10 a minute for an account and 100 a minute for an address (429).
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
         * @description Takes the token of a one-time link that an administrator made, sets the password and ends all logins of the user. 404 when the token is unknown, used, or expired, when the administrator can no longer make such a link, when the role of the user has changed since, and when the account belongs to another organization too.
         */
        post: operations["resetPassword"];
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
         * Act in another organization
         * @description Answers an access token of the same login that acts in another organization of the user. 404 when the user does not belong to it. With the refresh cookie of this login, the refresh token is replaced and acts in that organization too; with an access token alone there is no new refresh token. A refresh token that was used before ends the login (401).
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
         * @description The logins of the user that go on, in all organizations, the last used first.
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
         * @description Ends one of the user's own sessions. Its refresh token, its access tokens, and its event streams end immediately. Ending the session that the request came from also clears the cookies. 404 for a session of somebody else.
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
         * @description Ends all sessions of the user except the one that the request came from.
         */
        post: operations["endOtherSessions"];
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
         * @description Takes the token of an invitation, which works once and for 7 days. A new account is created with `name` and `password`. An existing account only gains the membership and must be logged in as itself. In every other case the answer is 401 `login_required`, whether or not the invited address has an account: without a login and without `name` and `password`, with the login of another account, and with `name` and `password` for an address that has an account. 404 when the token is unknown, used, or expired, or when the person who invited can no longer give the role; 409 when the user is a member already.
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
         * @description Email address and password.
         * @example {
         *       "email": "ada@example.com",
         *       "password": "correct horse battery staple"
         *     }
         */
        LoginRequest: {
            /**
             * Format: email
             * @description Email address; upper and lower case are the same.
             */
            email: string;
            /** @description The password. */
            password: string;
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
             * @description Id of the user.
             */
            id: number;
            /** @description E-mail address. */
            email: string;
            /** @description Name. */
            name: string;
        };
        /**
         * @description What a member may do. `viewer` reads. `member` also writes what the pipeline needs. `admin` also settings, keys, members and the audit log. `owner` also owners.
         * @example viewer
         * @enum {string}
         */
        MemberRole: "viewer" | "member" | "admin" | "owner";
        /**
         * @description An organization that the user belongs to.
         * @example {
         *       "id": 2,
         *       "name": "Acme",
         *       "role": "admin"
         *     }
         */
        AuthOrganization: {
            /**
             * Format: int64
             * @description Id of the organization.
             */
            id: number;
            /** @description Name of the organization. */
            name: string;
            /** @description The role of the user in it. */
            role: components["schemas"]["MemberRole"];
        };
        /**
         * @description A login: the access token, who it is for and where it acts.
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
         *         "role": "admin"
         *       },
         *       "organizations": [
         *         {
         *           "id": 2,
         *           "name": "Acme",
         *           "role": "admin"
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
            /** @description The organization that this login acts in. */
            organization: components["schemas"]["AuthOrganization"];
            /** @description All organizations of the user, by name. */
            organizations: components["schemas"]["AuthOrganization"][];
        };
        /**
         * @description What is wrong with one field or parameter.
         * @example {
         *       "field": "thresholds.high",
         *       "message": "must be greater than thresholds.moderate"
         *     }
         */
        FieldError: {
            /** @description Path of the field in the body, or the name of the parameter. */
            field: string;
            /** @description What is wrong, as a sentence for people. */
            message: string;
            /** @description Line within the text of the field, where the field is a template. */
            line?: number;
            /** @description Column within that line. */
            column?: number;
        };
        /**
         * @description Every error of the interface, with the members of RFC 9457. `code` is stable; the texts may change.
         * @example {
         *       "status": 400,
         *       "code": "validation_failed",
         *       "title": "The request is not valid.",
         *       "detail": "limit: must be <= 200",
         *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55",
         *       "errors": [
         *         {
         *           "field": "limit",
         *           "message": "must be <= 200"
         *         }
         *       ]
         *     }
         */
        ErrorResponse: {
            /** @description The HTTP status. */
            status: number;
            /**
             * @description What happened, for programs.
             * @enum {string}
             */
            code: "validation_failed" | "unauthenticated" | "login_required" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "in_use" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
            /** @description One sentence for the code. */
            title: string;
            /** @description What happened this time and what to do about it. */
            detail: string;
            /** @description The id of the request, also in `X-Request-Id` and in the log. */
            request_id: string;
            /** @description Only with `validation_failed`: the fields that are wrong. */
            errors?: components["schemas"]["FieldError"][];
            /** @description Ids of alert configurations of the own organization: with `in_use`, those that use the resource; with `conflict`, the one that compares the same. */
            alert_config_ids?: number[];
            /** @description How many alert configurations there are, of which `alert_config_ids` names at most 20. */
            alert_config_count?: number;
        };
        /**
         * @description Who is logged in, and where.
         * @example {
         *       "user": {
         *         "id": 3,
         *         "email": "ada@example.com",
         *         "name": "Ada"
         *       },
         *       "organization": {
         *         "id": 2,
         *         "name": "Acme",
         *         "role": "admin"
         *       },
         *       "organizations": [
         *         {
         *           "id": 2,
         *           "name": "Acme",
         *           "role": "admin"
         *         }
         *       ]
         *     }
         */
        Me: {
            user: components["schemas"]["AuthUser"];
            /** @description The organization that this login acts in. */
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
         * @description The present password and a new one.
         * @example {
         *       "current_password": "correct horse battery staple",
         *       "new_password": "a new and longer one"
         *     }
         */
        ChangePasswordRequest: {
            /** @description The present password. */
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
            /** @description The token of the link, as it was sent. */
            token: string;
            new_password: components["schemas"]["NewPassword"];
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
             * @description Id of an organization of the user.
             */
            organization_id: number;
        };
        /**
         * @description Id and name of another resource.
         * @example {
         *       "id": 4,
         *       "name": "Traefik"
         *     }
         */
        NamedReference: {
            /**
             * Format: int64
             * @description Id of the resource.
             */
            id: number;
            /** @description Its name. */
            name: string;
        };
        /**
         * @description A login that goes on, until it ends or isn't renewed for 14 days.
         * @example {
         *       "id": 31,
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "last_used_at": "2026-03-15T09:30:00.000Z",
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
             * @description Id of the session. It stays when the session is renewed.
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
            /** @description Client address of the last renewal. Null if it isn't known. */
            address: string | null;
            /** @description What the client of the last renewal called itself (`User-Agent`), without characters outside of printable ASCII, the first 256. Null if it isn't known. Clients can send any text. */
            user_agent: string | null;
            /** @description The organization that the session acts in. */
            organization: components["schemas"]["NamedReference"];
            /** @description Whether the request came from this session. */
            is_current: boolean;
        };
        /**
         * @description One page of sessions, the last used first.
         * @example {
         *       "items": [
         *         {
         *           "id": 31,
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "last_used_at": "2026-03-15T09:30:00.000Z",
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
            /** @description How many match in all; above 10,000 it stays at 10,000. */
            total: number;
            /** @description False when more than 10,000 match. */
            total_is_exact: boolean;
            /** @description The limit that was used. */
            limit: number;
            /** @description The offset that was used. */
            offset: number;
        };
        /**
         * @description How many sessions were ended.
         * @example {
         *       "ended": 2
         *     }
         */
        EndOtherSessionsResponse: {
            /** @description Number of sessions that were ended. */
            ended: number;
        };
        /**
         * @description A name for people; need not be unique. White space around it is removed before its length is checked.
         * @example Ingress controller
         */
        Name: string;
        /**
         * @description The token of an invitation. A new account also names itself and sets its password.
         * @example {
         *       "token": "3q2-7wAAAAAtoken",
         *       "name": "Ada",
         *       "password": "correct horse battery staple"
         *     }
         */
        AcceptInvitationRequest: {
            /** @description The token of the link, as it was sent. */
            token: string;
            name?: components["schemas"]["Name"];
            /** @description The password of a new account. An account that exists keeps its own. */
            password?: components["schemas"]["NewPassword"];
        };
    };
    responses: {
        /** @description The path exists, but not with this method. */
        MethodNotAllowed: {
            headers: {
                /**
                 * @description The methods that exist, separated by commas.
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
                 *       "title": "This method does not exist here.",
                 *       "detail": "This method does not exist here. Use a method that the Allow header names.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body or a parameter is not valid. `errors` names each field and what is wrong with it. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 400,
                 *       "code": "validation_failed",
                 *       "title": "The request is not valid.",
                 *       "detail": "limit: must be <= 200",
                 *       "errors": [
                 *         {
                 *           "field": "limit",
                 *           "message": "must be <= 200"
                 *         }
                 *       ],
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Credentials are missing or not valid (`unauthenticated`), or this needs a login and not an API key (`login_required`). */
        Unauthorized: {
            headers: {
                /**
                 * @description How to authenticate. API keys are sent in `X-API-Key`, which has no scheme of its own.
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
                 *       "title": "Credentials are missing or not valid.",
                 *       "detail": "Credentials are missing or not valid. Send a valid key in X-API-Key, or a login token in Authorization.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The role of the caller does not allow this, or the thing is global and the caller is no system key. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 403,
                 *       "code": "forbidden",
                 *       "title": "Your role does not allow this.",
                 *       "detail": "This needs the role admin.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body is larger than allowed: 1 MiB unless the operation says otherwise, 16 KiB for operations that require no credentials or have no request body. `detail` names the limit. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 413,
                 *       "code": "payload_too_large",
                 *       "title": "The body is too large.",
                 *       "detail": "The body may have at most 1048576 bytes.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body is not `application/json`. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 415,
                 *       "code": "unsupported_media_type",
                 *       "title": "The body must be JSON.",
                 *       "detail": "The body must be JSON. Send Content-Type: application/json.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Too many requests with this credential, or too many wrong ones from this address. */
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
                 *       "detail": "Too many requests. Wait for the seconds that Retry-After names.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Something went wrong on the side of the service. The request id finds it in the log. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 500,
                 *       "code": "internal",
                 *       "title": "Something went wrong on our side.",
                 *       "detail": "Something went wrong on our side. Try again; report the request id if it stays.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The service cannot answer now: it starts, stops, or has lost its database. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 503,
                 *       "code": "unavailable",
                 *       "title": "The service cannot answer now.",
                 *       "detail": "The service cannot answer now. Try again in a moment.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description There is no such thing in the organization of the caller. What belongs to another organization is answered the same way. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 404,
                 *       "code": "not_found",
                 *       "title": "There is no such thing.",
                 *       "detail": "There is no such thing. Check the id; it may have been deleted or belong to another organization.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The present state does not allow this (`conflict`), or other things use it (`in_use`, with the ids of at most 20 of them and a count). A `conflict` between alert configurations names the other one in the same fields. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 409,
                 *       "code": "in_use",
                 *       "title": "Other things use this.",
                 *       "detail": "2 alert configurations use this job. Delete those first, or add ?cascade=true.",
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
         * @description How many items to answer at most.
         * @example 50
         */
        Limit: number;
        /**
         * @description How many items to skip. Past the end the list is empty.
         * @example 0
         */
        Offset: number;
        /**
         * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
         * @example 42
         */
        Id: number;
    };
    requestBodies: never;
    headers: never;
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
                     * @description `pacekeeper_session` (the access token) and `pacekeeper_refresh` (path `/api/v1/auth`, 14 days), both `HttpOnly; SameSite=Strict`, and `Secure` where the service is reached by https.
                     * @example pacekeeper_refresh=…; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=1209600
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
                     * @description `pacekeeper_session` (the access token) and `pacekeeper_refresh` (path `/api/v1/auth`, 14 days), both `HttpOnly; SameSite=Strict`, and `Secure` where the service is reached by https.
                     * @example pacekeeper_refresh=…; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=1209600
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
            /** @description The login is ended. */
            204: {
                headers: {
                    /**
                     * @description Clears both cookies.
                     * @example pacekeeper_refresh=; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=0
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
            /** @description Who is logged in. */
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
            /** @description The login, renewed. */
            200: {
                headers: {
                    /**
                     * @description `pacekeeper_session` (the access token) and `pacekeeper_refresh` (path `/api/v1/auth`, 14 days), both `HttpOnly; SameSite=Strict`, and `Secure` where the service is reached by https.
                     * @example pacekeeper_refresh=…; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=1209600
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
                     * @description `pacekeeper_session` (the access token) and `pacekeeper_refresh` (path `/api/v1/auth`, 14 days), both `HttpOnly; SameSite=Strict`, and `Secure` where the service is reached by https.
                     * @example pacekeeper_refresh=…; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=1209600
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
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
                    "application/json": components["schemas"]["ListSessionsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                     * @description `pacekeeper_session` (the access token) and `pacekeeper_refresh` (path `/api/v1/auth`, 14 days), both `HttpOnly; SameSite=Strict`, and `Secure` where the service is reached by https.
                     * @example pacekeeper_refresh=…; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=1209600
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
