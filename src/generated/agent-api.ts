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
    "/tasks/{id}/packages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List packages to request from OSV
         * @description For `reference` tasks with the source `vulnerabilities`; other tasks return 409. Excludes packages that are only known from jobs with a credential. Submit the records of each package, or that it was skipped, as a result. Packages without a result keep their stored records and come first in the next run.
         */
        post: operations["listTaskPackages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/cves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List CVE IDs whose EPSS scores are stored
         * @description For `reference` tasks with the source `epss`; other tasks return 409. Submit the score of each of them as a result. A CVE ID without a result loses its stored score.
         */
        post: operations["listTaskCves"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/missing-records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find records to fetch from OSV
         * @description For `reference` tasks with the source `vulnerabilities`; other tasks return 409. Returns which of the listed records the server needs. Submit each of them as a result.
         */
        post: operations["findMissingRecords"];
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
         * @description Applies all parts in one transaction and ends the run. Returns 409 if the lease is lost (`lease_lost`), or if a part is missing or the results can't be used (`conflict`).
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
         * @description Completes up to 100 tasks: scrape tasks, each with its version, gather tasks with a short list of releases, and tasks whose sources reported no changes (`not_modified`). None of them needs parts. Gather tasks with releases are completed in one transaction, all others in another one. The response lists tasks whose lease is lost and tasks whose results can't be accepted; all others are complete.
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
         * @description What an agent can do: the kind of a task, or a part of a kind, such as `gather:` with a source type, `scrape:http`, or `discovery:kubernetes`. `x-capabilities` of each task lists its capabilities; `{field}` is any value of that field of `spec`.
         * @example discovery:kubernetes
         */
        AgentCapability: string;
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
            /** @description The agent's capabilities. */
            capabilities: components["schemas"]["AgentCapability"][];
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
            /** @description The agent's capabilities. */
            capabilities: components["schemas"]["AgentCapability"][];
            /** @description Names of the agent's credentials, never the secrets. */
            credential_names: components["schemas"]["CredentialName"][];
            /** @description Organizations that already have enough tasks on this agent, so that it also gets tasks of other organizations. Only the embedded agent has tasks of several organizations. */
            except_organizations?: number[];
            /** @description Maximum number of tasks. */
            max: number;
            /** @description How long to wait for the first task, in seconds. */
            wait_seconds: number;
        };
        /**
         * @description The kind of source that releases come from. `deployed_versions` and `lifecycle` have no runs: the releases of `deployed_versions` are versions of a scrape job, and `lifecycle` has support dates and no releases.
         * @example github_releases
         * @enum {string}
         */
        ReleaseSourceType: "github_releases" | "helm_repository" | "oci_registry" | "git_tags" | "gitlab_releases" | "gitea_releases" | "http_json" | "http_text" | "deployed_versions" | "lifecycle";
        /**
         * @description A regular expression in RE2 syntax: no lookaround, no backreferences, no possessive quantifiers.
         * @example ^v(\d+\.\d+\.\d+)$
         */
        Pattern: string;
        /**
         * @description Options for specific source types. `helm_repository`: `version_field`. `http_json`: `version_path`, `date_path`, `version_regex`. `http_text`: `version_regex`. `oci_registry`: `artifact_type`.
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
            /**
             * @description `oci_registry`: reads only the tags of images, or only those of Helm charts, from a repository that contains both. Omitted: all tags.
             * @enum {string}
             */
            artifact_type?: "image" | "chart";
            /** @description `http_json`: path to the versions in the response; required for this type. `.tag_name` is a single string, `.versions` a list of strings or the keys of a map, `.releases[*].name` a string in every item. `.releases[?channel=="stable"].name` selects only the items that meet the condition. */
            version_path?: string;
            /** @description `http_json`: path to the dates in the response, such as `.releases[*].date`. Dates are matched to versions reached through the same items. */
            date_path?: string;
            /** @description `http_json`: extracts the version from the result of `version_path`: the first capture group, or the match. `http_text`: extracts the version from each line. */
            version_regex?: components["schemas"]["Pattern"];
        };
        /**
         * @description How version strings are parsed: `auto` loosely (prefixes, any number of components, variants), `semver` as SemVer 2.0.0 with an optional `v`. The other schemes parse versions like `auto`, but certain numbers mark pre-releases: an odd second number (`odd_minor`), a number from 90 to 99 after the first one (`minor_90`), 99 after the first number (`patch_99`), or the releases x.0 and x.1 (`ceph`).
         * @example auto
         * @enum {string}
         */
        VersionScheme: "auto" | "semver" | "odd_minor" | "minor_90" | "patch_99" | "ceph";
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
            /** @description Platform words of the organization that the `auto` scheme knows in addition. Omitted for none. */
            platform_words?: string[];
            /** @description Whether to include pre-releases. */
            include_prereleases: boolean;
            /** @description Path of the changelog in the repository, to be read at the newest tag. Omitted for none. */
            changelog_path?: string;
            /** @description Name of the credential to use. Null: none. */
            credential_name: string | null;
            /** @description Validators for a conditional request. Null: unconditional. */
            validators: components["schemas"]["SourceValidators"] | null;
            known_hint?: components["schemas"]["KnownReleasesHint"];
            /** @description Whether to read the complete list instead of stopping at known releases. */
            is_full: boolean;
            /** @description Whether to also check if the repository is archived. Only with `is_full`. Omitted for no. */
            checks_archived?: boolean;
            /** @description Whether to also read the digests of the highest tags. Omitted for no. */
            reads_digests?: boolean;
            /** @description Whether to also read the commits of the repository's tags. Only with `is_full`. Omitted for no. */
            reads_commits?: boolean;
            /** @description Stored tags without a date, whose dates the agent requests again. Omitted if empty. */
            undated_tags?: string[];
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
         * @description Where a scrape job finds the version: in a file of a Git repository, at a URL, or in a label of series that Prometheus returns. Manual jobs and jobs that a discovery job manages have `git`.
         * @example git
         * @enum {string}
         */
        ScrapeSource: "git" | "http" | "prometheus";
        /**
         * @description For source `prometheus`: labels that the series of this job have, with exactly these values. Jobs with the same `url`, `query`, and credential share one request. Empty: every series that the query returns.
         * @example {
         *       "namespace": "shop",
         *       "app": "api"
         *     }
         */
        SeriesLabels: {
            [key: string]: string;
        };
        /**
         * @description A parser that reads a file.
         * @example yq
         * @enum {string}
         */
        FileParserType: "yq" | "jq" | "regex" | "sbom";
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
            /** @description Where the version is. Omitted: `git`. */
            source?: components["schemas"]["ScrapeSource"];
            /** @description The Git repository. Null for other sources. */
            repository_url: string | null;
            /** @description Branch, tag, commit, or `HEAD`. Null for other sources. */
            ref: string | null;
            /** @description Path of the file, relative to the repository root. Null for other sources. */
            target_file: string | null;
            /** @description The URL to read, or of the Prometheus server. Null or omitted for `git`. */
            url?: string | null;
            /** @description The PromQL query. Null or omitted for other sources. */
            query?: string | null;
            /** @description The label whose value is the version. Null or omitted for other sources. */
            label?: string | null;
            series?: components["schemas"]["SeriesLabels"];
            /** @description Maximum age of a response to the same query, received for another task, that the agent can reuse. Omitted: 0, the request is always sent. */
            max_age_seconds?: number;
            parser_type: components["schemas"]["FileParserType"];
            /** @description A path or a pattern, by `parser_type`. Null if the whole label is the version. */
            parse_expression: string | null;
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
         * @description The software of a Git platform. `gitea` is also Forgejo; `github` is also GitHub Enterprise Server.
         * @example github
         * @enum {string}
         */
        ForgeKind: "github" | "gitlab" | "gitea";
        /**
         * @description A pattern over paths in `.gitignore` syntax: `*` matches within a name, `**` matches directories, and a pattern without a slash matches a file or directory anywhere.
         * @example clusters/prod/
         */
        PathPattern: string;
        /**
         * @description Chooses the repositories of a group that are read. Without it, these are all repositories that are neither archived nor forks.
         * @example {
         *       "include": [
         *         "deploy-*"
         *       ],
         *       "topics": [
         *         "production"
         *       ]
         *     }
         */
        RepositoryFilter: {
            /**
             * @description Only repositories whose path below the group matches one of these patterns. Empty: all.
             * @default []
             */
            include?: components["schemas"]["PathPattern"][];
            /**
             * @description Repositories whose path below the group matches one of these patterns are excluded.
             * @default []
             */
            exclude?: components["schemas"]["PathPattern"][];
            /**
             * @description Only repositories with one of these topics. Empty: all.
             * @default []
             */
            topics?: string[];
            /**
             * @description Only repositories with one of these main languages, which GitLab doesn't list. Empty: all.
             * @default []
             */
            languages?: string[];
            /**
             * @description Also read archived repositories.
             * @default false
             */
            archived?: boolean;
            /**
             * @description Also read forks.
             * @default false
             */
            forks?: boolean;
        };
        /**
         * @description The kind of file or object that a version was found in.
         * @example flux
         * @enum {string}
         */
        ExtractorName: "argocd" | "flux" | "helm_chart" | "helm_values" | "helm_release" | "helmfile" | "kustomize" | "kubernetes" | "dockerfile" | "execution_environment" | "compose" | "docker" | "terraform" | "terragrunt" | "cloudformation" | "nomad" | "quadlet" | "ansible" | "traefik" | "annotated" | "github_actions" | "gitlab_ci" | "ci_pipelines" | "pre_commit" | "devcontainer" | "tool_versions" | "commands" | "custom";
        /**
         * @description Key of a label.
         * @example team
         */
        LabelKey: string;
        /**
         * @description Labels as key and value, at most 20. Notification rules match on them and templates show them.
         * @example {
         *       "team": "payments",
         *       "environment": "production"
         *     }
         */
        Labels: {
            [key: string]: string;
        };
        /**
         * @description Labels for items whose path matches the pattern. Its named groups become labels too. Of several rules, the last one wins.
         * @example {
         *       "pattern": "clusters/(?P<cluster>[^/]+)/",
         *       "labels": {
         *         "team": "platform"
         *       }
         *     }
         */
        LabelRule: {
            /** @description An RE2 pattern that is searched for in the path. Named groups, such as `(?P<cluster>[^/]+)`, become labels. */
            pattern: string;
            /** @default {} */
            labels?: components["schemas"]["Labels"];
        };
        /**
         * @description A pattern for versions that no extractor reads. Groups and templates have the names `artifact`, `version`, `digest`, `source_type`, `registry`, and `label_*`, or those of Renovate: `depName`, `packageName`, `currentValue`, `currentDigest`, `datasource`, and `registryUrl`.
         * @example {
         *       "name": "Image versions",
         *       "path": "*.jsonnet",
         *       "pattern": "version:: \"(?P<version>[^\"]+)\", // (?P<artifact>\\S+)",
         *       "templates": {
         *         "source_type": "oci_registry"
         *       }
         *     }
         */
        CustomExtractor: {
            /** @description Name that the notes of items show. */
            name: string;
            path: components["schemas"]["PathPattern"];
            /** @description An RE2 pattern to search for in the text. Requires a group for the artifact and one for the version or digest, unless templates set these values. */
            pattern: string;
            /**
             * @description Values that the text doesn't contain, by the name of the group. `{{name}}` is replaced with a group of the pattern. `source_type` is `github_releases`, `gitlab_releases`, `gitea_releases`, `git_tags`, `oci_registry`, or `helm_repository`.
             * @default {}
             */
            templates?: {
                [key: string]: string;
            };
        };
        /**
         * @description What a discovery task reads.
         * @example {
         *       "discovery_job_id": 42,
         *       "repository_url": "https://github.com/acme/deploy",
         *       "ref": "HEAD",
         *       "include": [],
         *       "exclude": [
         *         "clusters/sandbox/"
         *       ],
         *       "extractors": [],
         *       "label_rules": [
         *         {
         *           "pattern": "clusters/(?P<cluster>[^/]+)/",
         *           "labels": {}
         *         }
         *       ],
         *       "custom_extractors": [],
         *       "credential_name": "deploy-readonly",
         *       "validators": null
         *     }
         */
        DiscoveryTaskSpec: {
            /**
             * Format: int64
             * @description The discovery job.
             */
            discovery_job_id: number;
            /** @description The Git repository. Null without one. */
            repository_url: string | null;
            /** @description Branch, tag, commit, or `HEAD`. Null without one. */
            ref: string | null;
            /** @description The Kubernetes cluster to read. Omitted for other kinds. */
            cluster?: {
                /** @description The label `cluster` of its items. */
                name: string;
                /** @description UID of its namespace `kube-system`. The task fails in any other cluster. Null: any cluster. */
                uid: string | null;
                /** @description Whether to read the secrets of Helm releases. */
                helm_secrets: boolean;
            };
            /** @description The container host to read. Omitted for other kinds. */
            host?: {
                /** @description The label `host` of its items. */
                name: string;
                /** @description As in `host_uid` of the summary. The task fails on any other host. Null: any host. */
                uid: string | null;
            };
            /** @description The organization, group, or user account whose repositories to list. Omitted for other kinds. */
            group?: {
                /** @description Its URL. */
                url: string;
                forge: components["schemas"]["ForgeKind"];
                filter: components["schemas"]["RepositoryFilter"];
                /** @description IDs of repositories that earlier lists didn't contain. Those that are now outside the group are submitted with the reason `moved`. */
                unlisted?: string[];
            };
            /** @description Only files that match one of these patterns are read. Empty: all files. */
            include: components["schemas"]["PathPattern"][];
            /** @description Files that match one of these patterns aren't read. */
            exclude: components["schemas"]["PathPattern"][];
            /** @description The kinds of files to read. Empty: all kinds. */
            extractors: components["schemas"]["ExtractorName"][];
            /** @description Labels from paths. */
            label_rules: components["schemas"]["LabelRule"][];
            /** @description Patterns for versions that no extractor reads, of the job and of its organization. */
            custom_extractors: components["schemas"]["CustomExtractor"][];
            /** @description Name of the credential to use. Null: none. */
            credential_name: string | null;
            /** @description The commit of the last scan, or a hash of its items, as `etag`, and the fingerprint of its options. Null: all results are submitted again. */
            validators: components["schemas"]["SourceValidators"] | null;
        };
        /**
         * @description A claimed task of kind `discovery`.
         * @example {
         *       "task_id": 981,
         *       "organization_id": 2,
         *       "lease_token": "Zk3v0bW1Q2m9",
         *       "lease_expires_at": "2026-11-21T05:10:00.000Z",
         *       "kind": "discovery",
         *       "spec": {
         *         "discovery_job_id": 42,
         *         "repository_url": "https://github.com/acme/deploy",
         *         "ref": "HEAD",
         *         "include": [],
         *         "exclude": [
         *           "clusters/sandbox/"
         *         ],
         *         "extractors": [],
         *         "label_rules": [],
         *         "custom_extractors": [],
         *         "credential_name": "deploy-readonly",
         *         "validators": null
         *       }
         *     }
         */
        DiscoveryTask: {
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
            kind: "discovery";
            spec: components["schemas"]["DiscoveryTaskSpec"];
        };
        /**
         * @description Reference data that agents fetch. `end_of_life`: the products of endoflife.date. `vulnerabilities`: OSV records of the packages that the server lists. `known_exploited`: CISA's catalog of known exploited vulnerabilities. `epss`: EPSS scores of the CVE IDs that the server lists.
         * @example end_of_life
         * @enum {string}
         */
        FetchedReferenceSource: "end_of_life" | "epss" | "known_exploited" | "vulnerabilities";
        /**
         * @description The reference data that a reference task fetches.
         * @example {
         *       "source": "end_of_life",
         *       "url": "https://endoflife.date/api/v1/products/full",
         *       "validators": null
         *     }
         */
        ReferenceTaskSpec: {
            source: components["schemas"]["FetchedReferenceSource"];
            /** @description URL of the data. For `vulnerabilities`, the URL of OSV's archives, in which `{ecosystem}` is replaced with an ecosystem. A URL without `{ecosystem}` is that of the OSV API. */
            url: string;
            /** @description Validators for a conditional request. Null: unconditional. */
            validators: components["schemas"]["SourceValidators"] | null;
        };
        /**
         * @description A claimed task of kind `reference`.
         * @example {
         *       "task_id": 981,
         *       "organization_id": 1,
         *       "lease_token": "Zk3v0bW1Q2m9",
         *       "lease_expires_at": "2026-11-21T05:10:00.000Z",
         *       "kind": "reference",
         *       "spec": {
         *         "source": "end_of_life",
         *         "url": "https://endoflife.date/api/v1/products/full",
         *         "validators": null
         *       }
         *     }
         */
        ReferenceTask: {
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
            kind: "reference";
            spec: components["schemas"]["ReferenceTaskSpec"];
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
            tasks: (components["schemas"]["GatherTask"] | components["schemas"]["ScrapeTask"] | components["schemas"]["HelmSyncTask"] | components["schemas"]["DiscoveryTask"] | components["schemas"]["ReferenceTask"])[];
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
         * @description Digest of a manifest in a registry. For an image with several platforms, the digest of its index. For a chart in a Helm repository, the digest of its archive.
         * @example sha256:2b8f4cc1d5a1d04cd4e3a1d1b7a0b6b1b1f3a7e6f2d6b0f5a8f1c9d3e7b4a6c5
         */
        Digest: string;
        /**
         * @description ID of a commit in Git.
         * @example 8f4b7f84864484a7bf31766abe9204da3cbe65b3
         */
        CommitId: string;
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
            /** @description Digest of the tag. Absent: unknown, and a known one is kept. */
            digest?: components["schemas"]["Digest"];
            /** @description Commit that the tag points to. For an annotated tag, the commit and not the tag object. Absent: unknown, and a known one is kept. */
            commit?: components["schemas"]["CommitId"];
        };
        /**
         * @description The section of a changelog about one version. It fills releases of that version that have no notes.
         * @example {
         *       "tag": "v1.11.3",
         *       "section_version": "1.11.3",
         *       "notes": "Fixes a crash on start."
         *     }
         */
        ChangelogResultItem: {
            /** @description The tag at which the changelog was read. */
            tag: string;
            /** @description The version in the heading, as written. */
            section_version: string;
            /** @description The text below the heading, cut at 64 KiB. */
            notes: string;
        };
        /**
         * @description The version that was found.
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
            /** @description The commit that was read. Null if it wasn't read from Git. */
            commit_sha: string | null;
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
            /** @description Repository of the software in the chart. */
            project_url?: string | null;
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
         * @description Where a label comes from. `path`: guessed from a directory or a file name. `name`: guessed from the name of the object, cluster, or host. `chart`: the name of the chart next to the file. `artifact`: the name of the artifact. `rule`: a label rule. `given`: the cluster or host of the discovery job. `code_owners`: the file `CODEOWNERS`. `pattern`: a custom pattern. `set`: a person.
         * @example path
         * @enum {string}
         */
        LabelSource: "path" | "name" | "chart" | "artifact" | "rule" | "given" | "code_owners" | "pattern" | "set";
        /**
         * @description A version that a file declares, with all related information from other files of the repository.
         * @example {
         *       "extractor": "flux",
         *       "key": "flux:HelmRelease:cert-manager:cert-manager:spec.chart.spec",
         *       "place": {
         *         "file": "clusters/prod/cert-manager.yaml",
         *         "line": 9,
         *         "document": 0,
         *         "kind": "HelmRelease",
         *         "namespace": "cert-manager",
         *         "name": "cert-manager",
         *         "field": "spec.chart.spec"
         *       },
         *       "blob_id": "8baef1b4abc478178b004d62031cf7fe6db6f903",
         *       "artifact": {
         *         "kind": "chart",
         *         "name": "cert-manager",
         *         "purl": "pkg:helm/cert-manager?repository_url=charts.jetstack.io"
         *       },
         *       "version": "1.16.2",
         *       "version_state": "exact",
         *       "digest": null,
         *       "note": null,
         *       "reason": null,
         *       "proposal": {
         *         "source_type": "helm_repository",
         *         "artifact_name": "charts.jetstack.io/cert-manager",
         *         "source_options": {},
         *         "version_pattern": null,
         *         "version_scheme": null,
         *         "confidence": "certain",
         *         "why": "the Helm repository of the chart"
         *       },
         *       "labels": {
         *         "environment": "prod",
         *         "service": "cert-manager"
         *       }
         *     }
         */
        DiscoveryResultItem: {
            extractor: components["schemas"]["ExtractorName"];
            /** @description What the item is, without its path. Several items can share it. */
            key: string;
            /** @description Where the file declares it. */
            place: {
                /** @description Path of the file. */
                file: string;
                /** @description Line, starting at 1. */
                line: number;
                /** @description Position of the YAML document in the file, starting at 0. */
                document: number;
                /** @description Kind of the object. */
                kind: string | null;
                /** @description Namespace of the object. */
                namespace: string | null;
                /** @description Name of the object. */
                name: string | null;
                /** @description Path of the field. */
                field: string;
            };
            /** @description Git object ID of the content, or a hash of its identity. */
            blob_id: string;
            /** @description The artifact. */
            artifact: {
                /**
                 * @description Kind of the artifact.
                 * @enum {string}
                 */
                kind: "chart" | "image" | "git" | "action" | "terraform_provider" | "terraform_module" | "tool" | "service";
                /** @description Name of the artifact. */
                name: string;
                /** @description Package URL of the artifact. */
                purl: string | null;
            };
            /** @description The version as written. */
            version: string | null;
            /**
             * @description How definite the version is.
             * @enum {string}
             */
            version_state: "exact" | "range" | "floating" | "digest" | "commit" | "templated" | "overridden";
            /** @description Digest of the image. */
            digest: string | null;
            /** @description How the version was found, where that isn't obvious. */
            note: string | null;
            /** @description Code of the reason why it isn't proposed. Null: it is. */
            reason: string | null;
            /** @description Where its releases are published, according to the files. Null: unknown. */
            proposal: {
                source_type: components["schemas"]["ReleaseSourceType"];
                /** @description Name of the artifact in the source. */
                artifact_name: string;
                /** @description Options of the source. */
                source_options: {
                    [key: string]: string;
                };
                /** @description Pattern for versions in tags. */
                version_pattern: string | null;
                /** @description Scheme of the versions. */
                version_scheme: string | null;
                /**
                 * @description Scheme of the URL of a Helm repository. Omitted: `https`.
                 * @enum {string}
                 */
                scheme?: "http";
                /**
                 * @description How certain it is.
                 * @enum {string}
                 */
                confidence: "certain" | "likely";
                /** @description Which statement in the files it comes from. */
                why: string;
            } | null;
            labels: components["schemas"]["Labels"];
            /** @description Where each label comes from, by its key. Omitted if unknown. */
            label_sources?: {
                [key: string]: components["schemas"]["LabelSource"];
            };
            /** @description Source repository of the software in a chart, from the chart's metadata. Omitted if unknown. */
            project_url?: string | null;
            /** @description The entry of the repository's Renovate configuration that ignores it. Null or omitted: none does. */
            renovate_ignore?: string | null;
        };
        /**
         * @description Why a repository isn't read: its `name` doesn't match the patterns, it's `archived`, a `fork`, or `empty`, it lacks a `topic` or `language`, or it was `moved` out of the group.
         * @example archived
         * @enum {string}
         */
        RepositoryExclusion: "name" | "archived" | "fork" | "topic" | "language" | "empty" | "moved";
        /**
         * @description A repository of an organization, group, or user account.
         * @example {
         *       "forge_id": "1296269",
         *       "path": "acme/deploy",
         *       "pushed_at": "2026-11-21T05:10:00.000Z",
         *       "excluded": null
         *     }
         */
        RepositoryResultItem: {
            /** @description ID of the repository, which stays the same if the repository is renamed. */
            forge_id: string;
            /** @description Its path on the host. */
            path: string;
            /**
             * Format: date-time
             * @description Time of the last push, or of the last activity if the platform lists no pushes. Null: unknown.
             */
            pushed_at: string | null;
            /** @description Why the filter excludes it, or `moved` if the path is outside the group. Null: it's read. */
            excluded: components["schemas"]["RepositoryExclusion"] | null;
        };
        /**
         * @description The last day of a phase of support. True or false if it's only known whether it has ended. Null if nothing is known.
         * @example 2030-11-14
         */
        PhaseEnd: string | boolean | null;
        /**
         * @description A product of endoflife.date with its release lines.
         * @example {
         *       "product": "postgresql",
         *       "label": "PostgreSQL",
         *       "purls": [
         *         "pkg:github/postgres/postgres"
         *       ],
         *       "lines": [
         *         {
         *           "name": "18",
         *           "is_lts": false,
         *           "released_on": "2025-09-25",
         *           "latest_version": "18.1",
         *           "active_support": null,
         *           "end_of_life": "2030-11-14",
         *           "extended_support": null
         *         }
         *       ]
         *     }
         */
        LifecycleResultItem: {
            /** @description Its name. */
            product: string;
            /** @description Its title. */
            label: string;
            /** @description Its package URLs, normalized. */
            purls: string[];
            /** @description Its release lines, the newest first. */
            lines: {
                /** @description Its name. */
                name: string;
                /** @description Whether it has long-term support. */
                is_lts: boolean;
                /** @description When it was released. Null if unknown. */
                released_on: string | null;
                /** @description Its newest version. */
                latest_version: string | null;
                active_support: components["schemas"]["PhaseEnd"];
                end_of_life: components["schemas"]["PhaseEnd"];
                extended_support: components["schemas"]["PhaseEnd"];
            }[];
        };
        /**
         * @description ID of an OSV record.
         * @example GHSA-6vm3-jj99-7229
         */
        OsvId: string;
        /**
         * Format: date-time
         * @description A time in a record, with the precision that OSV returns.
         * @example 2026-11-20T05:47:39.989396Z
         */
        OsvTime: string;
        /**
         * @description The complete list of a package's records in OSV. Submit it after the records that the server requested.
         * @example {
         *       "package": "Go/github.com/gin-gonic/gin",
         *       "records": [
         *         {
         *           "id": "GHSA-6vm3-jj99-7229",
         *           "modified": "2026-11-20T05:47:39.989396Z"
         *         }
         *       ]
         *     }
         */
        ListedPackage: {
            /** @description Key of the package, as the server listed it. */
            package: string;
            /** @description Its records. Empty if it has none. */
            records: {
                id: components["schemas"]["OsvId"];
                modified: components["schemas"]["OsvTime"];
            }[];
        };
        /**
         * @description A package whose records can't be fetched. Its stored records stay, and it comes last in the next run.
         * @example {
         *       "package": "Hackage/text",
         *       "reason": "was rejected by OSV"
         *     }
         */
        SkippedPackageItem: {
            /** @description Key of the package, as the server listed it. */
            package: string;
            /** @description Why it was skipped. */
            reason: string;
        };
        /**
         * @description The severity that the source of a vulnerability assigns to it.
         * @example high
         * @enum {string}
         */
        VulnerabilitySeverity: "low" | "moderate" | "high" | "critical";
        /**
         * @description Events of a range of affected versions.
         * @example [
         *       {
         *         "kind": "introduced",
         *         "version": "0"
         *       },
         *       {
         *         "kind": "fixed",
         *         "version": "1.6.0"
         *       }
         *     ]
         */
        AffectedRange: {
            /**
             * @description What happens at the version.
             * @enum {string}
             */
            kind: "introduced" | "fixed" | "last_affected" | "limit";
            /** @description The version. */
            version: string;
        }[];
        /**
         * @description A record of OSV.
         * @example {
         *       "osv_id": "GHSA-6vm3-jj99-7229",
         *       "record": {
         *         "modified": "2026-11-20T05:47:39.989396Z",
         *         "published": "2022-12-28T00:30:20Z",
         *         "aliases": [
         *           "CVE-2020-36567"
         *         ],
         *         "is_withdrawn": false,
         *         "severity": "high",
         *         "summary": "Arbitrary log line injection",
         *         "affected": [
         *           {
         *             "ecosystem": "Go",
         *             "name": "github.com/gin-gonic/gin",
         *             "ranges": [
         *               [
         *                 {
         *                   "kind": "introduced",
         *                   "version": "0"
         *                 },
         *                 {
         *                   "kind": "fixed",
         *                   "version": "1.6.0"
         *                 }
         *               ]
         *             ],
         *             "versions": []
         *           }
         *         ]
         *       }
         *     }
         */
        VulnerabilityResultItem: {
            osv_id: components["schemas"]["OsvId"];
            /** @description Its content. Null if it no longer exists or can't be read. */
            record: {
                modified: components["schemas"]["OsvTime"];
                /** @description When it was published, with the precision that OSV returns. Absent if unknown. */
                published?: components["schemas"]["OsvTime"];
                /** @description Other IDs of the vulnerability. */
                aliases: string[];
                /** @description Whether it was withdrawn. */
                is_withdrawn: boolean;
                /** @description How severe it is. Null if that isn't known. */
                severity: components["schemas"]["VulnerabilitySeverity"] | null;
                /** @description One line about it. */
                summary: string;
                /** @description What it says about each package. */
                affected: {
                    /** @description Ecosystem of the package. */
                    ecosystem: string;
                    /** @description Name of the package. */
                    name: string;
                    /** @description Ranges of affected versions. Each is a list of events. */
                    ranges: components["schemas"]["AffectedRange"][];
                    /** @description Ranges of versions that the ecosystem can't express, such as tags of a Go project whose module has other versions. Open ranges of the record are then ignored. */
                    custom_ranges?: components["schemas"]["AffectedRange"][];
                    /** @description Whether the database states that it couldn't map all affected versions. Open ranges then don't count. By default, false. */
                    is_unmapped?: boolean;
                    /** @description Affected versions. */
                    versions: string[];
                }[];
            } | null;
        };
        /**
         * @description An entry of CISA's catalog of known exploited vulnerabilities.
         * @example {
         *       "cve": "CVE-2021-44228",
         *       "added_on": "2021-12-10"
         *     }
         */
        KnownExploitedResultItem: {
            /** @description Its CVE ID. */
            cve: string;
            /**
             * Format: date
             * @description When it was added to the catalog.
             */
            added_on: string;
        };
        /**
         * @description The EPSS score of a CVE ID.
         * @example {
         *       "cve": "CVE-2021-44228",
         *       "score": 0.94358,
         *       "percentile": 0.99962
         *     }
         */
        EpssResultItem: {
            /** @description The CVE ID. */
            cve: string;
            /** @description Probability that it is exploited in the next 30 days. */
            score: number;
            /** @description Share of all CVE IDs that have the same or a lower score. */
            percentile: number;
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
            items: (components["schemas"]["GatherResultItem"] | components["schemas"]["ChangelogResultItem"] | components["schemas"]["ScrapeResultItem"] | components["schemas"]["HelmSyncResultItem"] | components["schemas"]["DiscoveryResultItem"] | components["schemas"]["RepositoryResultItem"] | components["schemas"]["LifecycleResultItem"] | components["schemas"]["ListedPackage"] | components["schemas"]["SkippedPackageItem"] | components["schemas"]["VulnerabilityResultItem"] | components["schemas"]["KnownExploitedResultItem"] | components["schemas"]["EpssResultItem"])[];
        };
        /**
         * @description Lists the packages to request from OSV.
         * @example {
         *       "lease_token": "Zk3v0bW1Q2m9"
         *     }
         */
        ListTaskPackagesRequest: {
            /** @description The task's lease token. An expired or foreign token returns 409 and has no effect. */
            lease_token: string;
        };
        /**
         * @description Packages to request from OSV. Their names aren't secret.
         * @example {
         *       "packages": [
         *         {
         *           "package": "Go/github.com/gin-gonic/gin",
         *           "ecosystem": "Go",
         *           "names": [
         *             "github.com/gin-gonic/gin"
         *           ]
         *         }
         *       ]
         *     }
         */
        ListTaskPackagesResponse: {
            /** @description Up to 20,000 packages. Those that were fetched longest ago come first, with organizations in turns. */
            packages: {
                /** @description Key of the package. */
                package: string;
                /** @description Its ecosystem in OSV. */
                ecosystem: string;
                /** @description How its name can be written in OSV. For Go modules, without the major version. */
                names: string[];
            }[];
        };
        /**
         * @description Lists the CVE IDs whose EPSS scores are stored.
         * @example {
         *       "lease_token": "Zk3v0bW1Q2m9"
         *     }
         */
        ListTaskCvesRequest: {
            /** @description The task's lease token. An expired or foreign token returns 409 and has no effect. */
            lease_token: string;
        };
        /**
         * @description CVE IDs of the vulnerabilities that the server stores. They aren't secret.
         * @example {
         *       "cves": [
         *         "CVE-2021-44228"
         *       ]
         *     }
         */
        ListTaskCvesResponse: {
            /** @description Up to 200,000 CVE IDs, in alphabetical order. */
            cves: string[];
        };
        /**
         * @description Compares the records that OSV lists with the stored ones.
         * @example {
         *       "lease_token": "Zk3v0bW1Q2m9",
         *       "packages": [
         *         {
         *           "package": "Go/github.com/gin-gonic/gin",
         *           "records": [
         *             {
         *               "id": "GHSA-6vm3-jj99-7229",
         *               "modified": "2026-11-20T05:47:39.989396Z"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        FindMissingRecordsRequest: {
            /** @description The task's lease token. An expired or foreign token returns 409 and has no effect. */
            lease_token: string;
            /** @description Packages with all their records. */
            packages: components["schemas"]["ListedPackage"][];
        };
        /**
         * @description Records to fetch.
         * @example {
         *       "records": [
         *         {
         *           "package": "Go/github.com/gin-gonic/gin",
         *           "id": "GHSA-6vm3-jj99-7229"
         *         }
         *       ]
         *     }
         */
        FindMissingRecordsResponse: {
            /** @description Records that aren't stored, were modified, or are no longer listed, for each package. Records that aren't listed can have been withdrawn. */
            records: {
                /** @description Key of the package. */
                package: string;
                id: components["schemas"]["OsvId"];
            }[];
        };
        /**
         * @description Part of the source's list that couldn't be read. `oldest`: only the oldest releases, at the end of the list. `anywhere`: newer releases might be missing, too.
         * @example oldest
         * @enum {string}
         */
        ListCut: "oldest" | "anywhere";
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
         * @description Why files yield no versions. `kind_not_read`: Pacekeeper doesn't read this kind. `out_of_scope`: the kind doesn't describe deployed software. `no_version`: an extractor read them and found nothing. `not_named`: they look like values, but no release names them. The others are the same as in UnreadReason.
         * @example kind_not_read
         * @enum {string}
         */
        SilentReason: "kind_not_read" | "out_of_scope" | "no_version" | "not_named" | "malformed" | "templated" | "too_large" | "limit" | "timed_out" | "encrypted" | "git_lfs" | "outside" | "submodule" | "unreadable";
        /**
         * @description Files of one kind that yield no versions for the same reason.
         * @example {
         *       "kind": "jsonnet",
         *       "reason": "kind_not_read",
         *       "count": 12,
         *       "examples": [
         *         "lib/web.libsonnet"
         *       ]
         *     }
         */
        SilentFiles: {
            /** @description An extractor, or a kind that Pacekeeper doesn't read, such as `jsonnet`. Null if the files couldn't be read, so their kind isn't known. */
            kind: string | null;
            reason: components["schemas"]["SilentReason"];
            /** @description Number of files. */
            count: number;
            /** @description Paths of some of the files. */
            examples: string[];
        };
        /**
         * @description A pattern, or a part of a Renovate configuration, that a scan didn't use.
         * @example {
         *       "file": "renovate.json",
         *       "name": "customManagers[2]",
         *       "message": "matchStrings[0] can't be used: a lookahead ((?= at character 12) isn't supported by RE2."
         *     }
         */
        PatternProblem: {
            /** @description The file. Empty for the job's custom patterns. */
            file: string;
            /** @description The part of the file, such as `customManagers[2]`. */
            name: string;
            /** @description The reason. */
            message: string;
        };
        /**
         * @description Directories that a scan skipped, such as dependencies and tests, although they contain files that it could read.
         * @example {
         *       "count": 2,
         *       "examples": [
         *         "docs",
         *         "web/node_modules"
         *       ]
         *     }
         */
        SkippedDirectories: {
            /** @description Number of directories, counted up to 10,000. */
            count: number;
            /** @description Paths of some of the directories. */
            examples: string[];
        };
        /**
         * @description Why a file wasn't read. `malformed`: it isn't valid. `templated`: it's a template. `too_large`: it exceeds a limit. `limit`: the scan reached a limit before it read the file. `timed_out`: reading it took too long. `encrypted`: it's encrypted. `git_lfs`: Git contains only a pointer to it. `outside`: it's a symbolic link. `submodule`: it's in a submodule. `unreadable`: it isn't text. `held`: it was read, but so many accepted items are missing that someone must confirm the loss.
         * @example malformed
         * @enum {string}
         */
        UnreadReason: "malformed" | "templated" | "too_large" | "limit" | "timed_out" | "encrypted" | "git_lfs" | "outside" | "submodule" | "unreadable" | "held";
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
            /** @description The parts contain the complete list of the source, so missing releases are marked as withdrawn. Discovery: every file that can contain versions was read. */
            is_complete_list: boolean;
            /** @description Gather: the part of the list that couldn't be read. Omitted if nothing was cut. */
            list_cut?: components["schemas"]["ListCut"];
            /** @description Validators for the next conditional request. Null when the source provides none. */
            validators: components["schemas"]["SourceValidators"] | null;
            /** @description Releases, versions, charts, or items that were read and kept. */
            found: number;
            /** @description Skipped tags or charts. */
            skipped: number;
            /** @description Examples of skipped items, with reasons. */
            skipped_examples: components["schemas"]["SkippedItem"][];
            /** @description Warnings for people to review. */
            warnings?: string[];
            /** @description Discovery: how many items and files weren't proposed, by reason code. */
            reasons?: {
                [key: string]: number;
            };
            /** @description Discovery: files of the repository. */
            files?: number;
            /** @description Discovery: files that were read because their content was new. */
            files_read?: number;
            /** @description Discovery: files that yield no versions, by kind and reason. */
            silent_files?: components["schemas"]["SilentFiles"][];
            /** @description Discovery: patterns that weren't used. */
            pattern_problems?: components["schemas"]["PatternProblem"][];
            skipped_directories?: components["schemas"]["SkippedDirectories"];
            /** @description Discovery: the commit that was read. */
            commit_sha?: string;
            /**
             * Format: date-time
             * @description Reference: when the data was generated. Not used for `vulnerabilities`, which are as current as the start of the run.
             */
            as_of?: string;
            /** @description Gather: whether the repository is archived. Null if the Git platform didn't report it. Omitted if `checks_archived` wasn't set. */
            is_archived?: boolean | null;
            /** @description Gather: whether the latest version of the chart is deprecated. Omitted if it wasn't read, and for other sources. */
            is_deprecated?: boolean;
            /** @description Discovery: UID of the namespace `kube-system` of the cluster. */
            cluster_uid?: string;
            /** @description Discovery: the container host. `docker:` with the ID of its engine, or `podman:` with its host name. */
            host_uid?: string;
            /** @description Discovery: kinds of objects that the agent wasn't allowed to list, so their items don't count as missing. `*`: kinds that only own pods. */
            unread_kinds?: string[];
            /** @description Discovery: files and directories that couldn't be read, so their items don't count as missing. Files that were read except for some values come last and aren't part of `unread_count`. */
            unread_files?: {
                /** @description Path of the file or directory. */
                path: string;
                reason: components["schemas"]["UnreadReason"];
                /** @description Details of the problem. */
                message: string;
            }[];
            /** @description Discovery: number of files and directories that couldn't be read. If it's higher than the number of `unread_files`, items in files in which the scan found no items don't count as missing. */
            unread_count?: number;
            /** @description Gather: the repository of the software in the artifact, and where its URL was found. */
            project?: {
                /** @description URL of the repository. */
                url: string;
                /**
                 * @description Where it was found.
                 * @enum {string}
                 */
                source: "annotation" | "label" | "chart";
            };
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
         * @description Completes successful tasks without parts. A scrape task includes its `item`. A gather task can include its `releases` if the list is short; other tasks have neither.
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
         *           "task_id": 835,
         *           "lease_token": "fT7mXw2LbK0c",
         *           "releases": [
         *             {
         *               "version": "1.11.3",
         *               "tag": "controller-v1.11.3",
         *               "app_version": null,
         *               "released_at": "2026-11-21T05:10:00.000Z",
         *               "is_prerelease": false,
         *               "is_yanked": false,
         *               "url": "https://github.com/kubernetes/ingress-nginx/releases/tag/controller-v1.11.3",
         *               "notes": "Fixes a crash on start."
         *             }
         *           ],
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
                /** @description All releases that a gather task has found. Submit longer lists in parts. All tasks together can have at most 1,000 releases. */
                releases?: components["schemas"]["GatherResultItem"][];
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
        RunErrorCode: "not_found" | "unauthorized" | "rate_limited" | "timeout" | "unreachable" | "upstream_error" | "invalid_index" | "too_large" | "target_not_allowed" | "credential_missing" | "credential_not_for_host" | "wrong_cluster" | "wrong_host" | "credential_failed" | "file_not_found" | "ref_not_found" | "file_refused" | "parse_failed" | "outdated" | "agent_lost" | "internal";
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
        /** @description Either the lease was lost (`lease_lost`; stop working on the task), or the results can't be accepted (`conflict`; fail the task with the reason in `detail`). */
        TaskConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 409,
                 *       "code": "lease_lost",
                 *       "title": "The task lease was lost.",
                 *       "detail": "The task lease was lost. Stop working on the task.",
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
            409: components["responses"]["TaskConflict"];
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
            409: components["responses"]["TaskConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTaskPackages: {
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
                "application/json": components["schemas"]["ListTaskPackagesRequest"];
            };
        };
        responses: {
            /** @description Packages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTaskPackagesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TaskConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTaskCves: {
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
                "application/json": components["schemas"]["ListTaskCvesRequest"];
            };
        };
        responses: {
            /** @description CVE IDs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTaskCvesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TaskConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    findMissingRecords: {
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
                "application/json": components["schemas"]["FindMissingRecordsRequest"];
            };
        };
        responses: {
            /** @description Records to fetch. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindMissingRecordsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TaskConflict"];
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
            409: components["responses"]["TaskConflict"];
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
            409: components["responses"]["TaskConflict"];
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
