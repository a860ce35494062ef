// Generated from spec/openapi-agent.yaml by `npm run generate -- contract`. Do not edit.

export interface paths {
    "/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a heartbeat
         * @description Registers the agent by its name within the organization, or updates it. After 60 seconds without a heartbeat, it counts as offline. Returns 409 if the organization already has 100 other agents that were seen within the last hour.
         */
        post: operations["sendHeartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim tasks
         * @description Leases tasks that the agent can run. If there are none, waits for up to `wait_seconds`. Returns 404 if the agent is unknown: send a heartbeat first. Returns 429 if four claims of the agent, or 200 of the organization, are already waiting.
         */
        post: operations["claimTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew a lease
         * @description Extends the agent's lease on the task. Returns 409 if the lease is lost: stop working on the task.
         */
        post: operations["renewTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a part of the results
         * @description Stores up to 1,000 items until the task is completed. Sending the same `sequence` again replaces the part. The body can have 8 MiB, counted after decompression with `Content-Encoding: gzip`. Also returns 413 if the parts of the task would exceed 2,000 or 256 MiB, or those of all tasks of the organization 1 GiB.
         */
        post: operations["submitTaskResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a task
         * @description Applies all parts in one transaction and ends the run. Returns 409 if the lease is lost or a part is missing.
         */
        post: operations["completeTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/complete-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete many tasks
         * @description Completes up to 100 tasks in one transaction: scrape tasks, each with its version, and tasks whose sources reported no changes (`not_modified`). None of them needs parts. The response lists tasks whose lease is lost and tasks whose results can't be accepted; all others are complete.
         */
        post: operations["completeTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fail a task
         * @description Drops the parts. Pacekeeper retries a retryable failure later, up to `task.max_attempts` times; any other failure ends the run as failed.
         */
        post: operations["failTask"];
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
         * @description A display name; doesn't need to be unique. Surrounding whitespace is removed before its length is checked.
         * @example Ingress controller
         */
        Name: string;
        /**
         * @description Name of a credential in an agent's configuration. The service stores names only, never the secret.
         * @example github-readonly
         */
        CredentialName: string;
        /**
         * @description The agent's report, sent every 15 seconds.
         * @example {
         *       "name": "runner-7",
         *       "hostname": "runner-7",
         *       "version": "0.1.0",
         *       "capabilities": [
         *         "gather:github_releases",
         *         "scrape",
         *         "helm_sync"
         *       ],
         *       "credential_names": [
         *         "github-readonly"
         *       ],
         *       "running": [
         *         981
         *       ]
         *     }
         */
        HeartbeatRequest: {
            name: components["schemas"]["Name"];
            /** @description The host it runs on. */
            hostname: string;
            /** @description Its Pacekeeper version. */
            version: string;
            /** @description The agent's capabilities: `gather:` with a source type, `scrape`, `helm_sync`. */
            capabilities: string[];
            /** @description Names of the agent's credentials, never the secrets. */
            credential_names: components["schemas"]["CredentialName"][];
            /** @description Credential names by organization ID. Used only by the embedded agent; ignored for others. */
            credential_names_by_organization?: {
                [key: string]: components["schemas"]["CredentialName"][];
            };
            /** @description IDs of its running tasks. */
            running: number[];
        };
        /**
         * @description The registered agent.
         * @example {
         *       "agent_id": 3,
         *       "server_time": "2026-11-21T05:10:00.000Z",
         *       "lease_seconds": 60
         *     }
         */
        HeartbeatResponse: {
            /**
             * Format: int64
             * @description ID of the agent, used to claim tasks.
             */
            agent_id: number;
            /**
             * Format: date-time
             * @description Server time.
             */
            server_time: string;
            /** @description Lease duration. Renew after a third of it. */
            lease_seconds: number;
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
            code: "validation_failed" | "unauthenticated" | "login_required" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "in_use" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
            /** @description The message for the code. */
            title: string;
            /** @description The cause and the fix. */
            detail: string;
            /** @description The request ID, also in `X-Request-Id` and in the log. */
            request_id: string;
            /** @description Only with `validation_failed`: the invalid fields. */
            errors?: components["schemas"]["FieldError"][];
            /** @description IDs of the organization's alert configurations: with `in_use`, those that use the resource; with `conflict`, the one that compares the same. */
            alert_config_ids?: number[];
            /** @description The number of alert configurations, of which `alert_config_ids` names at most 20. */
            alert_config_count?: number;
            /**
             * Format: int64
             * @description With `conflict`, the ID of the configuration that is being applied.
             */
            configuration_apply_id?: number;
        };
        /**
         * @description A request for tasks. Waits until a task is available or the time is up.
         * @example {
         *       "agent_id": 3,
         *       "capabilities": [
         *         "gather:github_releases",
         *         "scrape",
         *         "helm_sync"
         *       ],
         *       "credential_names": [
         *         "github-readonly"
         *       ],
         *       "max": 10,
         *       "wait_seconds": 30
         *     }
         */
        ClaimTasksRequest: {
            /**
             * Format: int64
             * @description ID from the heartbeat.
             */
            agent_id: number;
            /** @description The agent's capabilities: `gather:` with a source type, `scrape`, `helm_sync`. */
            capabilities: string[];
            /** @description Names of the agent's credentials, never the secrets. */
            credential_names: components["schemas"]["CredentialName"][];
            /** @description Organizations that have enough tasks with this agent for now, so that tasks of other organizations have room. Only the embedded agent has tasks of several organizations. */
            except_organizations?: number[];
            /** @description Maximum number of tasks. */
            max: number;
            /** @description How long to wait for the first task, in seconds. */
            wait_seconds: number;
        };
        /**
         * @description The kind of source that releases come from.
         * @example github_releases
         * @enum {string}
         */
        ReleaseSourceType: "github_releases" | "helm_repository" | "oci_registry" | "git_tags" | "gitlab_releases" | "gitea_releases" | "http_json";
        /**
         * @description A regular expression in RE2 syntax: no lookaround, no backreferences, no possessive quantifiers.
         * @example ^v(\d+\.\d+\.\d+)$
         */
        Pattern: string;
        /**
         * @description Options for specific source types. `helm_repository`: `version_field`. `http_json`: `version_path`, `date_path`, `version_regex`.
         * @example {
         *       "version_field": "app_version"
         *     }
         */
        GatherSourceOptions: {
            /**
             * @description `helm_repository`: which chart field is the version of a release. Default: `version`.
             * @enum {string}
             */
            version_field?: "version" | "app_version";
            /** @description `http_json`: path to the versions in the response; required for this type. `.tag_name` is a single string, `.versions` a list of strings or the keys of a map, `.releases[*].name` a string in every item. */
            version_path?: string;
            /** @description `http_json`: path to the dates in the response, such as `.releases[*].date`. Dates are matched to versions reached through the same items. */
            date_path?: string;
            /** @description `http_json`: extracts the version from the result of `version_path`: the first capture group, or the match. */
            version_regex?: components["schemas"]["Pattern"];
        };
        /**
         * @description How version strings are parsed: `auto` loosely (prefixes, any number of components, variants), `semver` as SemVer 2.0.0 with an optional `v`.
         * @example auto
         * @enum {string}
         */
        VersionScheme: "auto" | "semver";
        /**
         * @description Validators for the next conditional request. Valid only for a job with the same request.
         * @example {
         *       "etag": "\"5f2c\"",
         *       "last_modified": "Sat, 21 Nov 2026 05:10:00 GMT",
         *       "fingerprint": "b5d4045c3f466fa9"
         *     }
         */
        SourceValidators: {
            /** @description The `ETag` of the last response, unchanged. */
            etag: string | null;
            /** @description The `Last-Modified` of the last response, unchanged. */
            last_modified: string | null;
            /** @description Hash of the job's request: source, options, and pattern. Validators with a different fingerprint are ignored. */
            fingerprint: string;
        };
        /**
         * @description Known releases, so that paging can stop when nothing is new.
         * @example {
         *       "tags": [
         *         "controller-v1.11.3"
         *       ]
         *     }
         */
        KnownReleasesHint: {
            /** @description The newest known tags. */
            tags: string[];
        };
        /**
         * @description What a gather task reads.
         * @example {
         *       "gather_job_id": 42,
         *       "source_type": "github_releases",
         *       "artifact_name": "github.com/kubernetes/ingress-nginx",
         *       "source_options": {},
         *       "version_pattern": "^controller-v(.+)$",
         *       "version_scheme": "auto",
         *       "include_prereleases": true,
         *       "credential_name": "github-readonly",
         *       "validators": {
         *         "etag": "\"5f2c\"",
         *         "last_modified": "Sat, 21 Nov 2026 05:10:00 GMT",
         *         "fingerprint": "b5d4045c3f466fa9"
         *       },
         *       "known_hint": {
         *         "tags": [
         *           "controller-v1.11.3"
         *         ]
         *       },
         *       "is_full": false,
         *       "share_key": "1:github-readonly:9f3a"
         *     }
         */
        GatherTaskSpec: {
            /**
             * Format: int64
             * @description The gather job.
             */
            gather_job_id: number;
            source_type: components["schemas"]["ReleaseSourceType"];
            /** @description The artifact to track, by source type. */
            artifact_name: string;
            source_options: components["schemas"]["GatherSourceOptions"];
            /** @description RE2 pattern for tags. Only matching tags are kept. Null: every tag. */
            version_pattern: string | null;
            version_scheme: components["schemas"]["VersionScheme"];
            /** @description Whether to include pre-releases. */
            include_prereleases: boolean;
            /** @description Name of the credential to use. Null: none. */
            credential_name: string | null;
            /** @description Validators for a conditional request. Null: unconditional. */
            validators: components["schemas"]["SourceValidators"] | null;
            known_hint?: components["schemas"]["KnownReleasesHint"];
            /** @description Whether to read the complete list instead of stopping at known releases. */
            is_full: boolean;
            /** @description Tasks with the same key can share requests: same source, organization, and credential. */
            share_key: string;
        };
        /**
         * @description A claimed task of kind `gather`.
         * @example {
         *       "task_id": 981,
         *       "organization_id": 2,
         *       "lease_token": "Zk3v0bW1Q2m9",
         *       "lease_expires_at": "2026-11-21T05:10:00.000Z",
         *       "kind": "gather",
         *       "spec": {
         *         "gather_job_id": 42,
         *         "source_type": "github_releases",
         *         "artifact_name": "github.com/kubernetes/ingress-nginx",
         *         "source_options": {},
         *         "version_pattern": "^controller-v(.+)$",
         *         "version_scheme": "auto",
         *         "include_prereleases": true,
         *         "credential_name": "github-readonly",
         *         "validators": {
         *           "etag": "\"5f2c\"",
         *           "last_modified": "Sat, 21 Nov 2026 05:10:00 GMT",
         *           "fingerprint": "b5d4045c3f466fa9"
         *         },
         *         "known_hint": {
         *           "tags": [
         *             "controller-v1.11.3"
         *           ]
         *         },
         *         "is_full": false,
         *         "share_key": "1:github-readonly:9f3a"
         *       }
         *     }
         */
        GatherTask: {
            /**
             * Format: int64
             * @description ID of the task, which is the run ID.
             */
            task_id: number;
            /**
             * Format: int64
             * @description The organization of the task. Agents never share cached data (such as repositories) between organizations.
             */
            organization_id: number;
            /** @description Lease token to send with all further requests for the task. */
            lease_token: string;
            /**
             * Format: date-time
             * @description When the lease expires unless it is renewed.
             */
            lease_expires_at: string;
            /**
             * @description The kind of task.
             * @enum {string}
             */
            kind: "gather";
            spec: components["schemas"]["GatherTaskSpec"];
        };
        /**
         * @description Transform applied to the version: none; add `v` or `V` unless the version already starts with either; or remove one leading `v` or `V`.
         * @example none
         * @enum {string}
         */
        VersionTransform: "none" | "add_v_lower" | "add_v_upper" | "strip_v_lower" | "strip_v_upper";
        /**
         * @description What a scrape task reads.
         * @example {
         *       "scrape_job_id": 7,
         *       "repository_url": "https://github.com/acme/deploy",
         *       "ref": "main",
         *       "target_file": "charts/web/values.yaml",
         *       "parser_type": "yq",
         *       "parse_expression": ".image.tag",
         *       "version_transform": "none",
         *       "credential_name": "deploy-readonly"
         *     }
         */
        ScrapeTaskSpec: {
            /**
             * Format: int64
             * @description The scrape job.
             */
            scrape_job_id: number;
            /** @description The Git repository. */
            repository_url: string;
            /** @description Branch, tag, commit, or `HEAD`. */
            ref: string;
            /** @description Path of the file, relative to the repository root. */
            target_file: string;
            /**
             * @description The parser.
             * @enum {string}
             */
            parser_type: "yq" | "jq" | "regex";
            /** @description A path or a pattern, by `parser_type`. */
            parse_expression: string;
            version_transform: components["schemas"]["VersionTransform"];
            /** @description Name of the credential to use. Null: none. */
            credential_name: string | null;
        };
        /**
         * @description A claimed task of kind `scrape`.
         * @example {
         *       "task_id": 981,
         *       "organization_id": 2,
         *       "lease_token": "Zk3v0bW1Q2m9",
         *       "lease_expires_at": "2026-11-21T05:10:00.000Z",
         *       "kind": "scrape",
         *       "spec": {
         *         "scrape_job_id": 7,
         *         "repository_url": "https://github.com/acme/deploy",
         *         "ref": "main",
         *         "target_file": "charts/web/values.yaml",
         *         "parser_type": "yq",
         *         "parse_expression": ".image.tag",
         *         "version_transform": "none",
         *         "credential_name": "deploy-readonly"
         *       }
         *     }
         */
        ScrapeTask: {
            /**
             * Format: int64
             * @description ID of the task, which is the run ID.
             */
            task_id: number;
            /**
             * Format: int64
             * @description The organization of the task. Agents never share cached data (such as repositories) between organizations.
             */
            organization_id: number;
            /** @description Lease token to send with all further requests for the task. */
            lease_token: string;
            /**
             * Format: date-time
             * @description When the lease expires unless it is renewed.
             */
            lease_expires_at: string;
            /**
             * @description The kind of task.
             * @enum {string}
             */
            kind: "scrape";
            spec: components["schemas"]["ScrapeTaskSpec"];
        };
        /**
         * @description What a helm sync task reads.
         * @example {
         *       "helm_sync_job_id": 5,
         *       "repository_url": "https://kubernetes.github.io/ingress-nginx",
         *       "chart_filter": [
         *         "ingress-*"
         *       ],
         *       "create_gather_jobs": true,
         *       "credential_name": null,
         *       "validators": null
         *     }
         */
        HelmSyncTaskSpec: {
            /**
             * Format: int64
             * @description The helm sync job.
             */
            helm_sync_job_id: number;
            /** @description URL of the Helm repository. */
            repository_url: string;
            /** @description Globs of chart names. Empty: all charts. */
            chart_filter: string[];
            /** @description Whether to include the charts' releases. */
            create_gather_jobs: boolean;
            /** @description Name of the credential to use. Null: none. */
            credential_name: string | null;
            /** @description Validators for a conditional request. Null: unconditional. */
            validators: components["schemas"]["SourceValidators"] | null;
        };
        /**
         * @description A claimed task of kind `helm_sync`.
         * @example {
         *       "task_id": 981,
         *       "organization_id": 2,
         *       "lease_token": "Zk3v0bW1Q2m9",
         *       "lease_expires_at": "2026-11-21T05:10:00.000Z",
         *       "kind": "helm_sync",
         *       "spec": {
         *         "helm_sync_job_id": 5,
         *         "repository_url": "https://kubernetes.github.io/ingress-nginx",
         *         "chart_filter": [
         *           "ingress-*"
         *         ],
         *         "create_gather_jobs": true,
         *         "credential_name": null,
         *         "validators": null
         *       }
         *     }
         */
        HelmSyncTask: {
            /**
             * Format: int64
             * @description ID of the task, which is the run ID.
             */
            task_id: number;
            /**
             * Format: int64
             * @description The organization of the task. Agents never share cached data (such as repositories) between organizations.
             */
            organization_id: number;
            /** @description Lease token to send with all further requests for the task. */
            lease_token: string;
            /**
             * Format: date-time
             * @description When the lease expires unless it is renewed.
             */
            lease_expires_at: string;
            /**
             * @description The kind of task.
             * @enum {string}
             */
            kind: "helm_sync";
            spec: components["schemas"]["HelmSyncTaskSpec"];
        };
        /**
         * @description The claimed tasks. Empty when no task is available.
         * @example {
         *       "tasks": [
         *         {
         *           "task_id": 981,
         *           "organization_id": 2,
         *           "lease_token": "Zk3v0bW1Q2m9",
         *           "lease_expires_at": "2026-11-21T05:10:00.000Z",
         *           "kind": "scrape",
         *           "spec": {
         *             "scrape_job_id": 7,
         *             "repository_url": "https://github.com/acme/deploy",
         *             "ref": "main",
         *             "target_file": "charts/web/values.yaml",
         *             "parser_type": "yq",
         *             "parse_expression": ".image.tag",
         *             "version_transform": "none",
         *             "credential_name": "deploy-readonly"
         *           }
         *         }
         *       ]
         *     }
         */
        ClaimTasksResponse: {
            /** @description The claimed tasks. */
            tasks: (components["schemas"]["GatherTask"] | components["schemas"]["ScrapeTask"] | components["schemas"]["HelmSyncTask"])[];
        };
        /**
         * @description Renews the lease of a task.
         * @example {
         *       "lease_token": "Zk3v0bW1Q2m9"
         *     }
         */
        RenewTaskRequest: {
            /** @description The task's lease token. An expired or foreign token returns 409 and has no effect. */
            lease_token: string;
        };
        /**
         * @description The renewed lease.
         * @example {
         *       "lease_expires_at": "2026-11-21T05:10:00.000Z"
         *     }
         */
        RenewTaskResponse: {
            /**
             * Format: date-time
             * @description New expiration of the lease.
             */
            lease_expires_at: string;
        };
        /**
         * @description A release listed by a source.
         * @example {
         *       "version": "1.11.3",
         *       "tag": "controller-v1.11.3",
         *       "app_version": null,
         *       "released_at": "2026-11-21T05:10:00.000Z",
         *       "is_prerelease": false,
         *       "is_yanked": false,
         *       "url": "https://github.com/kubernetes/ingress-nginx/releases/tag/controller-v1.11.3",
         *       "notes": "Fixes a crash on start."
         *     }
         */
        GatherResultItem: {
            /** @description The version extracted from the tag with `version_pattern`. Absent: the tag is the version. */
            version?: string;
            /** @description The tag in the source. */
            tag: string;
            /** @description Charts: the version of the packaged application. */
            app_version: string | null;
            /**
             * Format: date-time
             * @description Release date reported by the source.
             */
            released_at: string | null;
            /** @description Whether the source marks it as a pre-release. */
            is_prerelease: boolean;
            /** @description Whether the source marks it as withdrawn. */
            is_yanked: boolean;
            /** @description URL of the release. Only `http` and `https` URLs without user information are kept. */
            url: string | null;
            /** @description Release notes, cut at 64 KiB. */
            notes: string | null;
        };
        /**
         * @description The version in the file.
         * @example {
         *       "raw_version": "1.11.3",
         *       "version": "v1.11.3",
         *       "commit_sha": "9fceb02d0ae598e95dc970b74767f19372d61af8"
         *     }
         */
        ScrapeResultItem: {
            /** @description The raw value. */
            raw_version: string;
            /** @description After the transform. */
            version: string;
            /** @description The commit that was read. */
            commit_sha: string;
        };
        /**
         * @description A chart in a repository index.
         * @example {
         *       "name": "ingress-nginx",
         *       "latest_version": "4.11.3",
         *       "app_version": "1.11.3",
         *       "description": "Ingress controller that uses NGINX",
         *       "deprecated": false,
         *       "version_count": 96
         *     }
         */
        HelmChartResult: {
            /** @description Name of the chart. */
            name: string;
            /** @description The highest stable version, else the highest. */
            latest_version: string;
            /** @description The application version of that version. */
            app_version: string | null;
            /** @description The description in that version. */
            description: string | null;
            /** @description Whether that version is deprecated. */
            deprecated: boolean;
            /** @description Number of distinct versions in the index. */
            version_count: number;
        };
        /**
         * @description A chart with its releases. A chart with more than 1,000 releases is split into several items.
         * @example {
         *       "chart": {
         *         "name": "ingress-nginx",
         *         "latest_version": "4.11.3",
         *         "app_version": "1.11.3",
         *         "description": "Ingress controller that uses NGINX",
         *         "deprecated": false,
         *         "version_count": 96
         *       },
         *       "releases": [
         *         {
         *           "version": "4.11.3",
         *           "tag": "4.11.3",
         *           "app_version": "1.11.3",
         *           "released_at": "2026-11-21T05:10:00.000Z",
         *           "is_prerelease": false,
         *           "is_yanked": false,
         *           "url": null,
         *           "notes": null
         *         }
         *       ]
         *     }
         */
        HelmSyncResultItem: {
            chart: components["schemas"]["HelmChartResult"];
            /** @description Its releases. Empty when no gather jobs are needed. */
            releases: components["schemas"]["GatherResultItem"][];
        };
        /**
         * @description A part of the results. It is stored until the task is completed; sending the same `sequence` again replaces the part.
         * @example {
         *       "lease_token": "Zk3v0bW1Q2m9",
         *       "sequence": 1,
         *       "items": [
         *         {
         *           "version": "1.11.3",
         *           "tag": "controller-v1.11.3",
         *           "app_version": null,
         *           "released_at": "2026-11-21T05:10:00.000Z",
         *           "is_prerelease": false,
         *           "is_yanked": false,
         *           "url": "https://github.com/kubernetes/ingress-nginx/releases/tag/controller-v1.11.3",
         *           "notes": "Fixes a crash on start."
         *         }
         *       ]
         *     }
         */
        SubmitTaskResultsRequest: {
            /** @description The task's lease token. An expired or foreign token returns 409 and has no effect. */
            lease_token: string;
            /** @description Number of the part, starting at 1 without gaps. */
            sequence: number;
            /** @description The results, matching the kind of the task. */
            items: (components["schemas"]["GatherResultItem"] | components["schemas"]["ScrapeResultItem"] | components["schemas"]["HelmSyncResultItem"])[];
        };
        /**
         * @description A skipped tag or chart, and the reason.
         * @example {
         *       "name": "nightly",
         *       "reason": "doesn't match version_pattern"
         *     }
         */
        SkippedItem: {
            /** @description The tag or chart. */
            name: string;
            /** @description The reason. */
            reason: string;
        };
        /**
         * @description Statistics of a task.
         * @example {
         *       "not_modified": false,
         *       "is_complete_list": true,
         *       "validators": {
         *         "etag": "\"5f2c\"",
         *         "last_modified": "Sat, 21 Nov 2026 05:10:00 GMT",
         *         "fingerprint": "b5d4045c3f466fa9"
         *       },
         *       "found": 120,
         *       "skipped": 4,
         *       "skipped_examples": [
         *         {
         *           "name": "nightly",
         *           "reason": "doesn't match version_pattern"
         *         }
         *       ],
         *       "requests": 3,
         *       "waited_ms": 0
         *     }
         */
        TaskSummary: {
            /** @description The source reported no changes, so the task has no parts. */
            not_modified: boolean;
            /** @description The parts contain the complete list of the source, so missing releases are marked as withdrawn. */
            is_complete_list: boolean;
            /** @description Validators for the next conditional request. Null when the source provides none. */
            validators: components["schemas"]["SourceValidators"] | null;
            /** @description Releases, versions, or charts that were read and kept. */
            found: number;
            /** @description Skipped tags or charts. */
            skipped: number;
            /** @description Examples of skipped items, with reasons. */
            skipped_examples: components["schemas"]["SkippedItem"][];
            /** @description Warnings for people to review. */
            warnings?: string[];
            /** @description Requests sent to the source. 0 when another task shared its response. */
            requests: number;
            /** @description Milliseconds spent waiting at the source's request. */
            waited_ms: number;
        };
        /**
         * @description Completes a successful task. All parts are applied in one transaction.
         * @example {
         *       "lease_token": "Zk3v0bW1Q2m9",
         *       "parts": 1,
         *       "summary": {
         *         "not_modified": false,
         *         "is_complete_list": true,
         *         "validators": {
         *           "etag": "\"5f2c\"",
         *           "last_modified": "Sat, 21 Nov 2026 05:10:00 GMT",
         *           "fingerprint": "b5d4045c3f466fa9"
         *         },
         *         "found": 120,
         *         "skipped": 4,
         *         "skipped_examples": [
         *           {
         *             "name": "nightly",
         *             "reason": "doesn't match version_pattern"
         *           }
         *         ],
         *         "requests": 3,
         *         "waited_ms": 0
         *       }
         *     }
         */
        CompleteTaskRequest: {
            /** @description The task's lease token. An expired or foreign token returns 409 and has no effect. */
            lease_token: string;
            /** @description Number of parts sent. */
            parts: number;
            summary: components["schemas"]["TaskSummary"];
        };
        /**
         * @description Completes successful tasks without parts. A scrape task includes its `item`; other tasks have none.
         * @example {
         *       "tasks": [
         *         {
         *           "task_id": 812,
         *           "lease_token": "Zk3v0bW1Q2m9",
         *           "summary": {
         *             "not_modified": true,
         *             "is_complete_list": false,
         *             "validators": {
         *               "etag": "\"5f2c\"",
         *               "last_modified": "Sat, 21 Nov 2026 05:10:00 GMT",
         *               "fingerprint": "b5d4045c3f466fa9"
         *             },
         *             "found": 0,
         *             "skipped": 0,
         *             "skipped_examples": [],
         *             "requests": 1,
         *             "waited_ms": 0
         *           }
         *         },
         *         {
         *           "task_id": 981,
         *           "lease_token": "8sJd0pTq41Lx",
         *           "item": {
         *             "raw_version": "1.11.3",
         *             "version": "v1.11.3",
         *             "commit_sha": "9fceb02d0ae598e95dc970b74767f19372d61af8"
         *           },
         *           "summary": {
         *             "not_modified": false,
         *             "is_complete_list": true,
         *             "validators": null,
         *             "found": 1,
         *             "skipped": 0,
         *             "skipped_examples": [],
         *             "requests": 1,
         *             "waited_ms": 0
         *           }
         *         }
         *       ]
         *     }
         */
        CompleteTasksRequest: {
            /** @description The tasks. Each can appear only once. */
            tasks: {
                /**
                 * Format: int64
                 * @description ID of the task.
                 */
                task_id: number;
                /** @description The lease under which the task was claimed. */
                lease_token: string;
                item?: components["schemas"]["ScrapeResultItem"];
                summary: components["schemas"]["TaskSummary"];
            }[];
        };
        /**
         * @description The outcome for each task. Tasks that aren't listed are complete.
         * @example {
         *       "lost": [
         *         815
         *       ],
         *       "refused": [
         *         {
         *           "task_id": 816,
         *           "message": "A scrape task must be completed with a version."
         *         }
         *       ]
         *     }
         */
        CompleteTasksResponse: {
            /** @description IDs of tasks whose lease is expired, foreign, or unknown. Nothing was changed. Stop working on them. */
            lost: number[];
            /** @description Tasks whose results can't be accepted. Nothing was changed, and their leases are still valid. Complete them another way, or fail them. */
            refused: {
                /**
                 * Format: int64
                 * @description ID of the task.
                 */
                task_id: number;
                /** @description Why the result can't be accepted. */
                message: string;
            }[];
        };
        /**
         * @description Why a run failed. The codes are stable.
         * @example not_found
         * @enum {string}
         */
        RunErrorCode: "not_found" | "unauthorized" | "rate_limited" | "timeout" | "unreachable" | "upstream_error" | "invalid_index" | "too_large" | "target_not_allowed" | "credential_missing" | "credential_not_for_host" | "file_not_found" | "ref_not_found" | "file_refused" | "parse_failed" | "agent_lost" | "internal";
        /**
         * @description Why a run failed: a stable code and a message.
         * @example {
         *       "code": "file_not_found",
         *       "message": "File deploy/values.yaml not found in the repository."
         *     }
         */
        RunError: {
            code: components["schemas"]["RunErrorCode"];
            /** @description The message, for people. */
            message: string;
        };
        /**
         * @description Fails a task. Its parts are dropped.
         * @example {
         *       "lease_token": "Zk3v0bW1Q2m9",
         *       "error": {
         *         "code": "rate_limited",
         *         "message": "api.github.com allows the next request at 05:40."
         *       },
         *       "retryable": true,
         *       "retry_at": "2026-11-21T05:10:00.000Z"
         *     }
         */
        FailTaskRequest: {
            /** @description The task's lease token. An expired or foreign token returns 409 and has no effect. */
            lease_token: string;
            error: components["schemas"]["RunError"];
            /** @description Whether a retry can help. */
            retryable: boolean;
            /**
             * Format: date-time
             * @description Earliest retry time, if the source specified one.
             */
            retry_at?: string | null;
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
        /** @description Credentials are missing or invalid (`unauthenticated`), or the operation requires a login instead of an API key (`login_required`). */
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
                 *       "detail": "Authentication failed. Send a valid API key in X-API-Key or an access token in Authorization.",
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
        /** @description The resource's state doesn't allow this (`conflict`), or it is in use (`in_use`, with the IDs of at most 20 of them and a count). A `conflict` between alert configurations names the other one in the same fields. */
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
        /** @description The service is temporarily unavailable: it is starting, stopping, or has lost its database connection. */
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
    };
    parameters: {
        /**
         * @description The ID of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
    sendHeartbeat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeartbeatRequest"];
            };
        };
        responses: {
            /** @description Register and send heartbeats. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatResponse"];
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
    claimTasks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimTasksRequest"];
            };
        };
        responses: {
            /** @description The claimed tasks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimTasksResponse"];
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
    renewTask: {
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
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenewTaskRequest"];
            };
        };
        responses: {
            /** @description The renewed lease. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewTaskResponse"];
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
    submitTaskResults: {
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
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitTaskResultsRequest"];
            };
        };
        responses: {
            /** @description The part is stored. */
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
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    completeTask: {
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
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteTaskRequest"];
            };
        };
        responses: {
            /** @description The results are applied. */
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
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    completeTasks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteTasksRequest"];
            };
        };
        responses: {
            /** @description The outcome for each task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompleteTasksResponse"];
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
    failTask: {
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
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailTaskRequest"];
            };
        };
        responses: {
            /** @description The failure is recorded. */
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
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}

/** The shapes of all bodies, by name. */
export type Schemas = components['schemas'];
