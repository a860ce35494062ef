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
         * Say that the agent is there
         * @description Registers the agent by its name within the organization, or refreshes it. Without a heartbeat for 60 seconds it counts as offline. 409 when the organization already has 100 other agents that were seen within the last hour.
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
         * @description Gives the agent tasks that it can do and leases them to it. When there are none it waits for up to `wait_seconds`. 404 when the agent is unknown: send a heartbeat first. 429 when four claims of the agent, or 200 of the organization, wait already.
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
         * @description Keeps the task with the agent for another lease. 409 when the lease is lost: stop working on it.
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
         * Hand in a part of the results
         * @description Keeps up to 1,000 items aside until the task is completed. The same `sequence` again replaces its part. The body may have 8 MiB, counted after unpacking when it comes with `Content-Encoding: gzip`. 413 also when the parts of the task would exceed 2,000 or 256 MiB, or those of all tasks of the organization 1 GiB.
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
         * @description Applies all parts in one transaction and ends the run. 409 when the lease is lost or a part is missing.
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
         * @description Ends up to 100 tasks at once, in one transaction: scrape tasks, each with the version that it found, and tasks whose sources said that nothing changed (`not_modified`). None of them needs parts. The answer names those whose lease is lost and those that cannot be taken; the others have ended.
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
         * Give up a task
         * @description Drops the parts. A retryable failure is tried again later, up to `task.max_attempts` times; any other ends the run as failed.
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
         * @description A name for people; need not be unique. White space around it is removed before its length is checked.
         * @example Ingress controller
         */
        Name: string;
        /**
         * @description Name of a credential in the configuration of an agent. The service knows names only, never the secret.
         * @example github-readonly
         */
        CredentialName: string;
        /**
         * @description What an agent says of itself, every 15 seconds.
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
            /** @description The host that it runs on. */
            hostname: string;
            /** @description Its version of Pacekeeper. */
            version: string;
            /** @description What the agent can do: `gather:` with a source type, `scrape`, `helm_sync`. */
            capabilities: string[];
            /** @description Names of the credentials that the agent has; never the secrets. */
            credential_names: components["schemas"]["CredentialName"][];
            /** @description Which credentials serve which organization, by its id. Only the embedded agent says so; of any other it is ignored. */
            credential_names_by_organization?: {
                [key: string]: components["schemas"]["CredentialName"][];
            };
            /** @description Ids of the tasks that it is running. */
            running: number[];
        };
        /**
         * @description Who the agent is for the service.
         * @example {
         *       "agent_id": 3,
         *       "server_time": "2026-11-21T05:10:00.000Z",
         *       "lease_seconds": 60
         *     }
         */
        HeartbeatResponse: {
            /**
             * Format: int64
             * @description Id of the agent, to claim tasks with.
             */
            agent_id: number;
            /**
             * Format: date-time
             * @description The time of the service.
             */
            server_time: string;
            /** @description How long a lease lasts. Renew it after a third of that. */
            lease_seconds: number;
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
         * @description A wish for tasks. It waits until there is one or the time is over.
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
             * @description Id from the heartbeat.
             */
            agent_id: number;
            /** @description What the agent can do: `gather:` with a source type, `scrape`, `helm_sync`. */
            capabilities: string[];
            /** @description Names of the credentials that the agent has; never the secrets. */
            credential_names: components["schemas"]["CredentialName"][];
            /** @description Organizations that have enough tasks with this agent for now, so that there is room for those of others. Only the embedded agent has tasks of several. */
            except_organizations?: number[];
            /** @description How many tasks at most. */
            max: number;
            /** @description How long to wait for a first task. */
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
         * @description Options that only some source types have. `helm_repository`: `version_field`. `http_json`: `version_path`, `date_path`, `version_regex`.
         * @example {
         *       "version_field": "app_version"
         *     }
         */
        GatherSourceOptions: {
            /**
             * @description `helm_repository`: which field of a chart is the version of a release. `version` when absent.
             * @enum {string}
             */
            version_field?: "version" | "app_version";
            /** @description `http_json`: path to the versions in the answer; required for this type. `.tag_name` is one text, `.versions` a list of texts or the keys of a map, `.releases[*].name` a text in every item. */
            version_path?: string;
            /** @description `http_json`: path to the dates in the answer, such as `.releases[*].date`. A date belongs to the version that was reached by the same items. */
            date_path?: string;
            /** @description `http_json`: finds the version within what `version_path` gives: the first capture group, else the match. */
            version_regex?: components["schemas"]["Pattern"];
        };
        /**
         * @description How version strings are read: `auto` loosely (prefixes, any number of components, variants), `semver` as SemVer 2.0.0 with an optional `v`.
         * @example auto
         * @enum {string}
         */
        VersionScheme: "auto" | "semver";
        /**
         * @description What makes the next request conditional. They hold only for a job that asks the very same.
         * @example {
         *       "etag": "\"5f2c\"",
         *       "last_modified": "Sat, 21 Nov 2026 05:10:00 GMT",
         *       "fingerprint": "b5d4045c3f466fa9"
         *     }
         */
        SourceValidators: {
            /** @description The `ETag` of the last answer, as it was sent. */
            etag: string | null;
            /** @description The `Last-Modified` of the last answer, as it was sent. */
            last_modified: string | null;
            /** @description Hash of what the job asks: source, options and pattern. Another fingerprint makes the validators void. */
            fingerprint: string;
        };
        /**
         * @description What the service knows already, so that paging can stop when nothing is new.
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
         * @description What a gather task has to read.
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
            /** @description What is followed, by source type. */
            artifact_name: string;
            source_options: components["schemas"]["GatherSourceOptions"];
            /** @description RE2 pattern over tags: only those that match are kept. Null: every tag. */
            version_pattern: string | null;
            version_scheme: components["schemas"]["VersionScheme"];
            /** @description Whether pre-releases are wanted. */
            include_prereleases: boolean;
            /** @description Name of the credential to use. Null: none. */
            credential_name: string | null;
            /** @description For a conditional request. Null: ask without condition. */
            validators: components["schemas"]["SourceValidators"] | null;
            known_hint?: components["schemas"]["KnownReleasesHint"];
            /** @description Whether the whole list has to be read instead of pages until nothing is new. */
            is_full: boolean;
            /** @description Tasks with the same key may share their requests: the same source for the same organization and credential. */
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
             * @description Id of the task, which is the id of the run.
             */
            task_id: number;
            /**
             * Format: int64
             * @description The organization that the task is for. What an agent keeps of one organization (caches of repositories) it never uses for another.
             */
            organization_id: number;
            /** @description Proof of the lease, to be sent with all that follows. */
            lease_token: string;
            /**
             * Format: date-time
             * @description When the lease ends unless it is renewed.
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
         * @description What is done to a version after it is found: nothing; `v` or `V` is added, unless the version already begins with either of them; or one leading `v` or `V` is removed.
         * @example none
         * @enum {string}
         */
        VersionTransform: "none" | "add_v_lower" | "add_v_upper" | "strip_v_lower" | "strip_v_upper";
        /**
         * @description What a scrape task has to read.
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
            /** @description The git repository. */
            repository_url: string;
            /** @description Branch, tag, commit or `HEAD`. */
            ref: string;
            /** @description Path of the file from the root of the repository. */
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
             * @description Id of the task, which is the id of the run.
             */
            task_id: number;
            /**
             * Format: int64
             * @description The organization that the task is for. What an agent keeps of one organization (caches of repositories) it never uses for another.
             */
            organization_id: number;
            /** @description Proof of the lease, to be sent with all that follows. */
            lease_token: string;
            /**
             * Format: date-time
             * @description When the lease ends unless it is renewed.
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
         * @description What a helm sync task has to read.
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
            /** @description Address of the Helm repository. */
            repository_url: string;
            /** @description Globs of chart names. Empty: all charts. */
            chart_filter: string[];
            /** @description Whether the releases of the charts are wanted too, not only the charts. */
            create_gather_jobs: boolean;
            /** @description Name of the credential to use. Null: none. */
            credential_name: string | null;
            /** @description For a conditional request. Null: ask without condition. */
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
             * @description Id of the task, which is the id of the run.
             */
            task_id: number;
            /**
             * Format: int64
             * @description The organization that the task is for. What an agent keeps of one organization (caches of repositories) it never uses for another.
             */
            organization_id: number;
            /** @description Proof of the lease, to be sent with all that follows. */
            lease_token: string;
            /**
             * Format: date-time
             * @description When the lease ends unless it is renewed.
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
         * @description The tasks that were claimed; none when there was nothing to do.
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
         * @description A sign that the agent still works on the task.
         * @example {
         *       "lease_token": "Zk3v0bW1Q2m9"
         *     }
         */
        RenewTaskRequest: {
            /** @description The lease under which the task was claimed. A late or foreign one is answered 409 and changes nothing. */
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
             * @description When the lease ends now.
             */
            lease_expires_at: string;
        };
        /**
         * @description One release that a source lists.
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
            /** @description The version that `version_pattern` found in the tag. Absent: the tag is the version. */
            version?: string;
            /** @description The tag as the source has it. */
            tag: string;
            /** @description Charts: the version of the application within. */
            app_version: string | null;
            /**
             * Format: date-time
             * @description When it was released, as the source says.
             */
            released_at: string | null;
            /** @description Whether the source says that it is a pre-release. */
            is_prerelease: boolean;
            /** @description Whether the source says that it was taken back. */
            is_yanked: boolean;
            /** @description Page of the release. Anything but `http` and `https` is dropped. */
            url: string | null;
            /** @description Release notes, cut at 64 KiB. */
            notes: string | null;
        };
        /**
         * @description The version that stands in the file.
         * @example {
         *       "raw_version": "1.11.3",
         *       "version": "v1.11.3",
         *       "commit_sha": "9fceb02d0ae598e95dc970b74767f19372d61af8"
         *     }
         */
        ScrapeResultItem: {
            /** @description As it stands there. */
            raw_version: string;
            /** @description After the transform. */
            version: string;
            /** @description The commit that was read. */
            commit_sha: string;
        };
        /**
         * @description What an index says of one chart.
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
            /** @description The version of the application in that version. */
            app_version: string | null;
            /** @description What that version says of the chart. */
            description: string | null;
            /** @description Whether that version is marked as deprecated. */
            deprecated: boolean;
            /** @description How many distinct versions the index lists. */
            version_count: number;
        };
        /**
         * @description One chart with its releases. A chart with more than 1,000 comes in several items.
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
            /** @description Its releases; empty when no gather jobs are wanted. */
            releases: components["schemas"]["GatherResultItem"][];
        };
        /**
         * @description A part of what was found. It is kept aside until the task is completed; the same `sequence` again replaces the part.
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
            /** @description The lease under which the task was claimed. A late or foreign one is answered 409 and changes nothing. */
            lease_token: string;
            /** @description Number of the part, from 1 without gaps. */
            sequence: number;
            /** @description What was found, all of the kind of the task. */
            items: (components["schemas"]["GatherResultItem"] | components["schemas"]["ScrapeResultItem"] | components["schemas"]["HelmSyncResultItem"])[];
        };
        /**
         * @description One tag or chart that a run left out, and why.
         * @example {
         *       "name": "nightly",
         *       "reason": "does not match version_pattern"
         *     }
         */
        SkippedItem: {
            /** @description The tag or chart. */
            name: string;
            /** @description Why it was left out. */
            reason: string;
        };
        /**
         * @description How a task went.
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
         *           "reason": "does not match version_pattern"
         *         }
         *       ],
         *       "requests": 3,
         *       "waited_ms": 0
         *     }
         */
        TaskSummary: {
            /** @description The source said that nothing changed; there are no parts. */
            not_modified: boolean;
            /** @description The parts hold the whole list of the source, so that what is missing from it is withdrawn. */
            is_complete_list: boolean;
            /** @description For the next conditional request. Null when the source gives none. */
            validators: components["schemas"]["SourceValidators"] | null;
            /** @description Releases, versions or charts that were read and kept. */
            found: number;
            /** @description Tags or charts that were left out. */
            skipped: number;
            /** @description Some of those that were left out, and why. */
            skipped_examples: components["schemas"]["SkippedItem"][];
            /** @description Things that went well and yet should be looked at: sentences for people. */
            warnings?: string[];
            /** @description Requests sent to the source; 0 when another task shared its answer. */
            requests: number;
            /** @description Milliseconds waited because the source asked for it. */
            waited_ms: number;
        };
        /**
         * @description The end of a task that went well. All parts are applied in one transaction.
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
         *             "reason": "does not match version_pattern"
         *           }
         *         ],
         *         "requests": 3,
         *         "waited_ms": 0
         *       }
         *     }
         */
        CompleteTaskRequest: {
            /** @description The lease under which the task was claimed. A late or foreign one is answered 409 and changes nothing. */
            lease_token: string;
            /** @description How many parts were sent. */
            parts: number;
            summary: components["schemas"]["TaskSummary"];
        };
        /**
         * @description The end of tasks that went well and have no parts. A scrape task has its one `item` here; the others have none.
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
            /** @description The tasks, each once. */
            tasks: {
                /**
                 * Format: int64
                 * @description Id of the task.
                 */
                task_id: number;
                /** @description The lease under which the task was claimed. */
                lease_token: string;
                item?: components["schemas"]["ScrapeResultItem"];
                summary: components["schemas"]["TaskSummary"];
            }[];
        };
        /**
         * @description What became of the tasks. Those that are not named here have ended well.
         * @example {
         *       "lost": [
         *         815
         *       ],
         *       "refused": [
         *         {
         *           "task_id": 816,
         *           "message": "A scrape task is completed with the version that it found."
         *         }
         *       ]
         *     }
         */
        CompleteTasksResponse: {
            /** @description Ids of the tasks whose lease is lost, foreign or unknown: nothing of them was changed. Stop working on them. */
            lost: number[];
            /** @description Tasks whose end cannot be taken as it is: nothing of them was changed, and their leases hold. Complete them otherwise, or give them up. */
            refused: {
                /**
                 * Format: int64
                 * @description Id of the task.
                 */
                task_id: number;
                /** @description Why it cannot be taken. */
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
         * @description Why a run failed: a stable code and a sentence about this very case.
         * @example {
         *       "code": "file_not_found",
         *       "message": "The file deploy/values.yaml is not in the repository."
         *     }
         */
        RunError: {
            code: components["schemas"]["RunErrorCode"];
            /** @description What happened, for people. */
            message: string;
        };
        /**
         * @description The end of a task that failed. Its parts are dropped.
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
            /** @description The lease under which the task was claimed. A late or foreign one is answered 409 and changes nothing. */
            lease_token: string;
            error: components["schemas"]["RunError"];
            /** @description Whether trying again later can help. */
            retryable: boolean;
            /**
             * Format: date-time
             * @description Not to be tried before this instant, when the source named one.
             */
            retry_at?: string | null;
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
    };
    parameters: {
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
            /** @description Who the agent is. */
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
            /** @description The part is kept. */
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
            /** @description What became of the tasks. */
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
