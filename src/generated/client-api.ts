// Generated from spec/openapi-client.yaml by `npm run generate -- contract`. Do not edit.

export interface paths {
    "/gather-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List gather jobs
         * @description The organization's gather jobs and global ones, newest first.
         */
        get: operations["listGatherJobs"];
        put?: never;
        /**
         * Create a gather job
         * @description Creates a gather job. Jobs created with a system key are global. Active jobs run immediately.
         */
        post: operations["createGatherJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gather-jobs/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview lines and variants
         * @description Returns the lines and variants of a gather job's releases, or of the given tags, with the latest release of each and what a deployed version would be compared with. Nothing is stored or fetched.
         */
        post: operations["previewGatherJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gather-jobs/preview-source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a source
         * @description Requests the releases of a source once, without a credential, as a new gather job would. The server sends the requests, so it fails for sources that only an agent can reach. Nothing is stored. If a gather job already reads the source, it is returned and nothing is requested.
         */
        post: operations["previewGatherSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gather-jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a gather job
         * @description A gather job of the organization or a global one.
         */
        get: operations["getGatherJob"];
        /**
         * Update a gather job
         * @description Updates the given fields. Changing the source, artifact, options, pattern, or scheme clears the releases and runs the job. Global jobs require a system key (403 otherwise). The source of a job managed by a helm sync job can't be changed (409).
         */
        put: operations["updateGatherJob"];
        post?: never;
        /**
         * Delete a gather job
         * @description Deletes the job with its releases. A job that alert configurations use is deleted only with `cascade`, together with them and their alerts. A global job can't be deleted while another organization uses it. Global jobs require a system key (403 otherwise).
         */
        delete: operations["deleteGatherJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gather-jobs/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a gather job now
         * @description Reads the complete release list, not only new releases. Returns 202 with the job. An agent picks up the run. Has no effect if a run is already pending or in progress. An inactive job runs once and stays inactive.
         */
        post: operations["runGatherJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gather-jobs/{id}/clear-releases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Clear the releases of a gather job
         * @description Deletes the stored releases and conditional request data of the job, so that the next run reads everything again. Global jobs require a system key (403 otherwise).
         */
        post: operations["clearGatherJobReleases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gather-jobs/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a gather job
         * @description The job's runs, newest first.
         */
        get: operations["listGatherJobRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gather-jobs/{id}/release-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the release notes between two versions
         * @description Lists the releases of the job between two versions, with their notes and the lines that their authors marked as breaking.
         */
        get: operations["getGatherJobReleaseNotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scrape-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scrape jobs
         * @description The organization's scrape jobs, newest first.
         */
        get: operations["listScrapeJobs"];
        put?: never;
        /**
         * Create a scrape job
         * @description Creates a scrape job. Active jobs that aren't manual run immediately.
         */
        post: operations["createScrapeJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scrape-jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a scrape job
         * @description A scrape job of the organization.
         */
        get: operations["getScrapeJob"];
        /**
         * Update a scrape job
         * @description Updates the given fields. `parser_type` can't change to or from `manual` (400). Changing what the job reads runs it.
         */
        put: operations["updateScrapeJob"];
        post?: never;
        /**
         * Delete a scrape job
         * @description Deletes the job with its versions. A job that alert configurations use is deleted only with `cascade`, together with them and their alerts.
         */
        delete: operations["deleteScrapeJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scrape-jobs/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a scrape job
         * @description The job's deployed versions, newest first.
         */
        get: operations["listScrapeJobVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scrape-jobs/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a scrape job now
         * @description Returns 202 with the job. An agent picks up the run. Has no effect if a run is already pending or in progress. An inactive job runs once and stays inactive. Manual jobs don't run (409).
         */
        post: operations["runScrapeJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scrape-jobs/{id}/set-version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the deployed version
         * @description Stores a version for a manual scrape job, after its transform. It has the same effect as a version found by an agent: rules are evaluated, alerts open, and notifications are sent. Returns 409 if the job isn't manual.
         */
        post: operations["setScrapeJobVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scrape-jobs/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a scrape job
         * @description The job's runs, newest first.
         */
        get: operations["listScrapeJobRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scrape-jobs/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a parser
         * @description Runs a parser and transform on the given text and returns the version or a detailed error. Nothing is stored or fetched.
         */
        post: operations["previewScrapeJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scrape-jobs/preview-source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an HTTP or Prometheus source
         * @description Requests the given URL once, without a credential, and returns the version that a scrape job would find, or a detailed error. The server sends the request, so it fails for URLs that only an agent can reach. Nothing is stored.
         */
        post: operations["previewScrapeSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/helm-sync-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List helm sync jobs
         * @description The organization's helm sync jobs and global ones, newest first.
         */
        get: operations["listHelmSyncJobs"];
        put?: never;
        /**
         * Create a helm sync job
         * @description Creates a helm sync job. Jobs created with a system key are global. Active jobs run immediately.
         */
        post: operations["createHelmSyncJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/helm-sync-jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a helm sync job
         * @description A helm sync job of the organization or a global one.
         */
        get: operations["getHelmSyncJob"];
        /**
         * Update a helm sync job
         * @description Updates the given fields. Changing what the job reads runs it. Global jobs require a system key (403 otherwise).
         */
        put: operations["updateHelmSyncJob"];
        post?: never;
        /**
         * Delete a helm sync job
         * @description Deletes the job, its charts, and the gather jobs it created. Gather jobs that alert configurations use are kept and get the sync's schedule; with `cascade`, they are deleted too, together with these configurations and their alerts. With `cascade`, returns 409 while another organization uses one of these gather jobs. Global jobs require a system key (403 otherwise).
         */
        delete: operations["deleteHelmSyncJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/helm-sync-jobs/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a helm sync job now
         * @description Returns 202 with the job. An agent picks up the run. Has no effect if a run is already pending or in progress. An inactive job runs once and stays inactive.
         */
        post: operations["runHelmSyncJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/helm-sync-jobs/{id}/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the charts of a helm sync job
         * @description The charts of the repository, by name.
         */
        get: operations["listHelmSyncJobCharts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/helm-sync-jobs/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a helm sync job
         * @description The job's runs, newest first.
         */
        get: operations["listHelmSyncJobRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/releases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List releases
         * @description Releases of the organization's and global gather jobs: by version precedence, highest first, if `gather_job_id` is given; otherwise by date, newest first.
         */
        get: operations["listReleases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/releases/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a release
         * @description A release of an organization's or global gather job, with its notes.
         */
        get: operations["getRelease"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/releases/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Summarize releases
         * @description One entry for each gather job of the organization and each global one, newest first: number of releases, latest version, and its date.
         */
        get: operations["getReleaseSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deployed versions
         * @description The deployed versions of all the organization's scrape jobs, newest first.
         */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List global settings
         * @description Every setting with its global value.
         */
        get: operations["listSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description The organization's agents and the embedded agent, newest first.
         */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/validate/regex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a regular expression
         * @description Checks whether a pattern is valid RE2 and, if `sample` is given, tests it.
         */
        post: operations["validateRegex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovered-items/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept discovered items
         * @description Creates a scrape job that the discovery job feeds for each item, and, where the upstream is known, a gather job (or uses one that exists) and an alert configuration with the rule. After each scan, and after each change of the job, of its default rule, or of an item's upstream, name, or labels, Pacekeeper derives these resources again: it creates what is missing and follows what has changed, except for values that someone edited. Accepting an item again, by its ID, adds only what is missing. An item that can't be accepted doesn't block the others.
         */
        post: operations["acceptDiscoveredItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovery-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List discovery jobs
         * @description The organization's discovery jobs, newest first. The jobs of a group's repositories are listed only with `group_job_id`.
         */
        get: operations["listDiscoveryJobs"];
        put?: never;
        /**
         * Create a discovery job
         * @description Creates a job that reads a Git repository, a Kubernetes cluster, a container host, or all repositories of an organization, and lists the deployed versions that it finds. Active jobs run immediately.
         */
        post: operations["createDiscoveryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovery-jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a discovery job
         * @description One discovery job.
         */
        get: operations["getDiscoveryJob"];
        /**
         * Update a discovery job
         * @description Updates the given fields. Changing what the job reads runs it, and the next scan can find fewer items without confirmation.
         */
        put: operations["updateDiscoveryJob"];
        post?: never;
        /**
         * Delete a discovery job
         * @description Deletes the job and its items. A job that feeds scrape jobs is in use (409 `in_use`) unless `keep` or `cascade` is given.
         */
        delete: operations["deleteDiscoveryJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovery-jobs/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a discovery job now
         * @description Returns 202 with the job. An agent picks up the run. Has no effect if a run is already pending or in progress. An inactive job runs once and stays inactive.
         */
        post: operations["runDiscoveryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovery-jobs/{id}/confirm-gone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm missing items
         * @description If a scan finds fewer than half of a job's items, the missing ones don't change until someone confirms that they were removed (`gone_held`). For a repository group, the same applies to each repository that two lists exclude, and repositories that are held later need another confirmation. Runs the job again and returns it with 202. Has no effect if nothing awaits confirmation.
         */
        post: operations["confirmGoneItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovery-jobs/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a discovery job
         * @description The job's runs, newest first.
         */
        get: operations["listDiscoveryJobRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovery-jobs/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the items in files
         * @description Finds deployed versions in the given files, as a discovery job does, without storing anything. Returns the items that would be proposed, and why others wouldn't be.
         */
        post: operations["previewDiscovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/artifact-aliases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List artifact aliases
         * @description The organization's artifact aliases, newest first. Built-in aliases, such as the one for `mirror.gcr.io`, aren't included.
         */
        get: operations["listArtifactAliases"];
        put?: never;
        /**
         * Create an artifact alias
         * @description Creates an alias. Existing items and jobs whose address starts with the prefix follow it in the same request, and keep their history. An organization can have 200.
         */
        post: operations["createArtifactAlias"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/artifact-aliases/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suggested artifact aliases
         * @description Aliases that the addresses of items and gather jobs suggest: at least three artifacts share a prefix, and the rest of each address is known below another prefix, from the catalog or from gather jobs that have read it. Nothing is requested from registries. Check each suggestion before you create the alias.
         */
        get: operations["listArtifactAliasSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/artifact-aliases/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an artifact alias
         * @description One artifact alias.
         */
        get: operations["getArtifactAlias"];
        /**
         * Update an artifact alias
         * @description Updates the given fields of an artifact alias. Items and jobs below the former and the new prefix follow the change.
         */
        put: operations["updateArtifactAlias"];
        post?: never;
        /**
         * Delete an artifact alias
         * @description Deletes an artifact alias. The address of the mirror becomes the upstream of the items and jobs below its prefix again.
         */
        delete: operations["deleteArtifactAlias"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/artifact-corrections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List artifact corrections
         * @description The upstreams that people chose for artifacts, newest first. Choices for a single place belong to its discovered item.
         */
        get: operations["listArtifactCorrections"];
        put?: never;
        /**
         * Create an artifact correction
         * @description Chooses the upstream of an artifact for all its places, also for those that no scan has found yet. Existing items follow it in the same request. Correcting a discovered item with `"apply_to": "artifact"` creates or updates the same resource.
         */
        post: operations["createArtifactCorrection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/artifact-corrections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an artifact correction
         * @description One artifact correction.
         */
        get: operations["getArtifactCorrection"];
        /**
         * Update an artifact correction
         * @description Updates the given fields of an artifact correction. The items of the artifact follow the change.
         */
        put: operations["updateArtifactCorrection"];
        post?: never;
        /**
         * Delete an artifact correction
         * @description Deletes an artifact correction. The items of the artifact get the upstream that Pacekeeper proposes for them again.
         */
        delete: operations["deleteArtifactCorrection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovered-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List discovered items
         * @description The deployed versions that discovery jobs found, by place. With `group_by`, one group for each artifact instead of items.
         */
        get: operations["listDiscoveredItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovered-items/ignore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ignore discovered items
         * @description Ignores up to 1,000 items. Later scans don't propose them again. An item that feeds a scrape job isn't ignored, even if scans no longer find it; delete the scrape job instead.
         */
        post: operations["ignoreDiscoveredItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovered-items/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore ignored items
         * @description Restores up to 1,000 ignored items. They're new again.
         */
        post: operations["restoreDiscoveredItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovered-items/monitor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Monitor items again
         * @description Creates alert configurations for up to 1,000 accepted items that have none because someone deleted it or accepted the item without one.
         */
        post: operations["monitorDiscoveredItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovered-items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a discovered item
         * @description One discovered item.
         */
        get: operations["getDiscoveredItem"];
        /**
         * Correct a discovered item
         * @description Corrects the proposed upstream, the name, or the labels. With `apply_to: artifact`, the upstream applies to every place of the artifact, and scans never change it. The jobs and alert configurations of accepted items follow, except for values that someone edited.
         */
        put: operations["updateDiscoveredItem"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List monitoring rules
         * @description The organization's monitoring rules, newest first.
         */
        get: operations["listRules"];
        put?: never;
        /**
         * Create a monitoring rule
         * @description Creates a monitoring rule. At least one threshold is required. Their required order depends on the rule type.
         */
        post: operations["createRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a monitoring rule
         * @description One monitoring rule.
         */
        get: operations["getRule"];
        /**
         * Update a monitoring rule
         * @description Updates the given fields of a monitoring rule. Its alert configurations are re-evaluated: changed thresholds update open alerts in place; a changed type resolves them first.
         */
        put: operations["updateRule"];
        post?: never;
        /**
         * Delete a monitoring rule
         * @description Deletes a monitoring rule with its alert configurations and all their alerts.
         */
        delete: operations["deleteRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules/{id}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable or disable a monitoring rule
         * @description Toggles whether a rule is active. Disabling it resolves its open alerts as `disabled`.
         */
        post: operations["toggleRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate all monitoring rules
         * @description Evaluates every active alert configuration of the organization within the request. Calls from one organization run one after another. Configurations left after 60 seconds are evaluated in the background.
         */
        post: operations["evaluateRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a monitoring rule for a version
         * @description Returns the result that an alert configuration with this rule and deployed version would have now, with the explanation. Pacekeeper stores nothing and sends no request to the source.
         */
        post: operations["previewRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a monitoring rule against past data
         * @description Replays stored releases and deployed versions, and returns the alerts and messages that a rule would have caused until now. Nothing is written or sent. An organization can run one simulation at a time; a newer one of the same caller cancels the previous one.
         */
        post: operations["simulateRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the forecast
         * @description Returns when alert configurations cross thresholds because time passes, if nothing is upgraded and no new release appears, soonest first. Only known releases, deployed versions, and rules are used.
         */
        get: operations["getForecast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forecast/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the calendar of the forecast
         * @description Returns the URL of a calendar (iCalendar, RFC 5545) of the forecast, to which calendar programs can subscribe. Anyone with the URL can view it without logging in, as long as the `calendars.enabled` setting is true and the caller that requested it has access: a person is still a member with the same password, or an API key can still be used.
         */
        get: operations["getForecastCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/support": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get end-of-support dates
         * @description Returns when support ends for deployed versions, regardless of the rules: for each scrape job and gather job that enabled alert configurations compare, if the lifecycle of the deployed version is known. Support that ended on an unknown day comes first, then the others by day, then support whose end isn't known.
         */
        get: operations["getSupport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/support/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the calendar of end-of-support dates
         * @description Returns the URL of a calendar (iCalendar, RFC 5545) with the last days of support, to which calendar programs can subscribe. Anyone with the URL can view it without logging in, under the same conditions as the calendar of the forecast.
         */
        get: operations["getSupportCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open alerts
         * @description The organization's open alerts, newest first.
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count alerts
         * @description Number of alerts by status and severity.
         */
        get: operations["getAlertSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List resolved alerts
         * @description The organization's resolved alerts, most recently resolved first.
         */
        get: operations["listResolvedAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert
         * @description A single alert, open or resolved, with its full configuration, rule, and jobs.
         */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve an alert
         * @description Resolves an open alert manually. Until the deployed version changes, only a higher severity opens a new alert. Resolved alerts don't change.
         */
        post: operations["resolveAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an alert
         * @description Acknowledges an open alert. Acknowledged alerts don't change; resolved alerts can't be acknowledged.
         */
        post: operations["acknowledgeAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/unacknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unacknowledge an alert
         * @description Removes the acknowledgment of an alert. Unacknowledged alerts don't change; resolved alerts can't be changed.
         */
        post: operations["unacknowledgeAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge many alerts
         * @description Acknowledges up to 500 alerts and returns the outcome of each.
         */
        post: operations["bulkAcknowledgeAlerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Comment on an alert
         * @description Adds a comment to the activity log of an open or resolved alert (`GET /alerts/{id}/actions`). It notifies no one.
         */
        post: operations["commentOnAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign an alert
         * @description Assigns an open alert to a member of the organization, or removes its assignee. If the assignee is the same, nothing changes. Resolved alerts can't be changed.
         */
        post: operations["assignAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change many alerts
         * @description Acknowledges, snoozes, resolves, assigns, or comments on up to 500 alerts, and returns the outcome of each. Each alert is changed in its own transaction.
         */
        post: operations["changeAlerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of an alert
         * @description The notification deliveries of an alert, newest first.
         */
        get: operations["listAlertDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an alert's activity
         * @description The activity log of an alert, newest first.
         */
        get: operations["listAlertActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Snooze an alert
         * @description Snoozes an open alert until a time, or until the deployed or latest version changes. Escalation and resolution still send notifications. A new snooze replaces the old one.
         */
        post: operations["snoozeAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/unsnooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the snooze of an alert
         * @description Ends the snooze of an alert. Alerts that aren't snoozed don't change; resolved alerts can't be changed.
         */
        post: operations["unsnoozeAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-configs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alert configurations
         * @description The organization's alert configurations, newest first.
         */
        get: operations["listAlertConfigs"];
        put?: never;
        /**
         * Create an alert configuration
         * @description Links a scrape job, a gather job, and a monitoring rule, and evaluates them. The gather job can be global; the others must belong to the organization. A second configuration with the same three and the same `candidate_pattern` is rejected with 409, which names the first.
         */
        post: operations["createAlertConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-configs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert configuration
         * @description Returns an alert configuration and its current status.
         */
        get: operations["getAlertConfig"];
        /**
         * Update an alert configuration
         * @description Updates the given fields of an alert configuration and re-evaluates it. If its jobs or rule change, its open alert is resolved as `reconfigured`. If another configuration already has the same scrape job, gather job, rule, and `candidate_pattern`, the update is rejected with 409.
         */
        put: operations["updateAlertConfig"];
        post?: never;
        /**
         * Delete an alert configuration
         * @description Deletes an alert configuration with its alerts.
         */
        delete: operations["deleteAlertConfig"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-configs/{id}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable or disable an alert configuration
         * @description Toggles whether an alert configuration is active. Disabling it resolves its open alert as `disabled`.
         */
        post: operations["toggleAlertConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-configs/{id}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain an alert configuration
         * @description Explains the state of an alert configuration step by step: which releases were compared, which were excluded and why, and when the next threshold is reached.
         */
        get: operations["getAlertConfigExplanation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-configs/{id}/vulnerabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List known vulnerabilities of the deployed version
         * @description Lists the known vulnerabilities of the deployed version, worst first, including those that the configuration ignores. This works with any rule type and evaluates nothing. Without data, the list is empty, which doesn't mean that the version is safe.
         */
        get: operations["listAlertConfigVulnerabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-configs/{id}/release-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the release notes between the deployed and the latest version
         * @description Lists the releases after the deployed version, up to the latest one, with their notes and the lines that their authors marked as breaking. Nothing is evaluated.
         */
        get: operations["getAlertConfigReleaseNotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-configs/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate an alert configuration against past data
         * @description Replays stored releases and deployed versions, and returns the alerts and messages that an alert configuration would have caused until now. Nothing is written or sent. An organization can run one simulation at a time; a newer one of the same caller cancels the previous one.
         */
        post: operations["simulateAlertConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-configs/{id}/badge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the badge of an alert configuration
         * @description Returns the URL of a badge that shows the deployed version and its lag. Anyone with the URL can view it without logging in, as long as the alert configuration exists and the `badges.enabled` setting is on. The URL doesn't change.
         */
        get: operations["getAlertConfigBadge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/configuration/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan a configuration
         * @description Compares a whole configuration with the organization's resources, and returns the changes that applying it would make. Nothing is changed. The body is a configuration file as JSON, at most 16 MiB.
         */
        post: operations["planConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/configuration/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply a configuration
         * @description Starts applying a whole configuration in one transaction: all of its changes or none. Send the same body and parameters as for the plan, and the plan's `fingerprint`. If the changes differ from the plan, nothing is applied (412 `precondition_failed`). If no changes are left, for example because an earlier request applied them, the apply succeeds immediately. If the response was lost, repeat the request: while the changes are being applied, the caller that started the apply gets it again (not with `update_secrets`). Only one configuration of an organization can be applied at a time. Other requests return 409 `conflict` with the `configuration_apply_id`, or, while that configuration is still being planned, with `Retry-After`. Changes in `settings` and `templates` require the admin role. `GET /configuration/applies/{id}` returns the progress.
         */
        post: operations["applyConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/configuration/applies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of an apply
         * @description The progress or result of an apply. The newest 100 of the organization are kept.
         */
        get: operations["getConfigurationApply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dropdowns/org-members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members for a picker
         * @description Every member of the organization, by name.
         */
        get: operations["listOrgMembersDropdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dropdowns/scrape-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scrape jobs for a picker
         * @description Every scrape job of the organization, by name.
         */
        get: operations["listScrapeJobsDropdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dropdowns/gather-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's gather jobs for a picker
         * @description Every gather job of the organization, by name; global jobs have a separate list.
         */
        get: operations["listGatherJobsDropdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dropdowns/gather-jobs/global": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List global gather jobs for a picker
         * @description All global gather jobs, by name.
         */
        get: operations["listGlobalGatherJobsDropdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dropdowns/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List monitoring rules for a picker
         * @description Every monitoring rule of the organization, by name; inactive ones are marked.
         */
        get: operations["listRulesDropdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dropdowns/notification-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notification channels for a picker
         * @description Every notification channel of the organization, by name; inactive ones are marked.
         */
        get: operations["listNotificationChannelsDropdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/effective": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List effective settings
         * @description Every setting with its current value for the organization: the override or the global value.
         */
        get: operations["listEffectiveSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/org-overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List overrides
         * @description Only settings that the organization overrides.
         */
        get: operations["listOrgOverrides"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/org-overrides/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Override a setting
         * @description Sets or updates the override of a setting. The value must match the setting's schema.
         */
        put: operations["putOrgOverride"];
        post?: never;
        /**
         * Reset a setting
         * @description Removes the override of a setting, so the global value applies. Returns 404 if no override exists.
         */
        delete: operations["deleteOrgOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notification channels
         * @description The organization's notification channels, newest first.
         */
        get: operations["listNotificationChannels"];
        put?: never;
        /**
         * Create a notification channel
         * @description Creates a notification channel. Validates it without sending anything.
         */
        post: operations["createNotificationChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-channels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notification channel
         * @description A notification channel and its health.
         */
        get: operations["getNotificationChannel"];
        /**
         * Update a notification channel
         * @description Updates the given fields of a notification channel. Already rendered deliveries are sent unchanged, but are rendered again if the origin of the URL or the preset changed. Such a change is rejected with 400 `validation_failed` if it would send stored secrets to a new receiver; `errors` lists each field to send again or remove.
         */
        put: operations["updateNotificationChannel"];
        post?: never;
        /**
         * Delete a notification channel
         * @description Deletes a notification channel. It's removed from every notification rule; rules with no other channel are disabled, and those with `route_to_owner` use the default channel instead. If it is the default channel, the setting is cleared. Its open deliveries are canceled.
         */
        delete: operations["deleteNotificationChannel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-channels/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a notification channel
         * @description Sends a test notification and returns the receiver's response. No delivery is recorded, and a failure doesn't disable the channel. Bodies are visible to admins and owners only.
         */
        post: operations["testNotificationChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-channels/{id}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable or disable a notification channel
         * @description Toggles whether a channel is active. Disabling it cancels its pending deliveries.
         */
        post: operations["toggleNotificationChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-channels/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get statistics of a notification channel
         * @description Recent delivery results of a channel.
         */
        get: operations["getNotificationChannelStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-channels/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate a webhook configuration
         * @description Validates a URL and a template without DNS lookups or requests. Problems are returned with status 200.
         */
        post: operations["validateWebhookConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notification templates
         * @description The current template of each category, its origin, and its variables.
         */
        get: operations["listNotificationTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-templates/{category}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Override a notification template
         * @description Sets the organization's template for a category. Invalid templates are rejected with line and column.
         */
        put: operations["updateNotificationTemplate"];
        post?: never;
        /**
         * Reset a template
         * @description Removes the organization's template for a category, so the global default applies. Returns 404 if no override exists.
         */
        delete: operations["deleteNotificationTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-templates/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a notification template
         * @description Renders a template with sample data. Nothing is stored or sent. Template errors are returned with status 200.
         */
        post: operations["previewNotificationTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notification rules
         * @description The organization's notification rules, newest first. `sort=priority` returns the evaluation order.
         */
        get: operations["listNotificationRules"];
        put?: never;
        /**
         * Create a notification rule
         * @description Creates a rule that routes alerts to channels. Referenced resources must belong to the organization. Returns 409 if the enabled rules of the organization would use more than 300 different patterns (`=~` and `!~`).
         */
        post: operations["createNotificationRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notification rule
         * @description One notification rule.
         */
        get: operations["getNotificationRule"];
        /**
         * Update a notification rule
         * @description Updates the given fields of a notification rule. The change applies from the next event. A rule whose channels were all deleted can't be enabled until it has channels (409).
         */
        put: operations["updateNotificationRule"];
        post?: never;
        /**
         * Delete a notification rule
         * @description Deletes a notification rule. Existing deliveries are kept.
         */
        delete: operations["deleteNotificationRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-rules/{id}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable or disable a notification rule
         * @description Toggles whether a rule is active. A rule whose channels were all deleted can't be enabled until it has channels.
         */
        post: operations["toggleNotificationRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-rules/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get statistics of a notification rule
         * @description How often a rule matched, and the outcome of its deliveries.
         */
        get: operations["getNotificationRuleStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-rules/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate notification rules against past data
         * @description Replays stored releases and deployed versions under the current monitoring rules, and returns the messages that the notification rules would have sent until now, with and without a rule that isn't stored. Nothing is written or sent. An organization can run one simulation at a time; a newer one of the same caller cancels the previous one.
         */
        post: operations["simulateNotificationRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-rules/{id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a notification rule
         * @description Routes a simulated alert event through all rules and returns what this rule does with it: whether it matches, which criteria aren't met, which of its channels would be notified, and why not. `event` has the outcome of all rules together. Nothing is written or sent.
         */
        post: operations["simulateNotificationRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/freshness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get freshness over time
         * @description How far behind all pairs of a scrape job and a gather job with an active alert configuration are, one point for each day: for all pairs, for one value of a label, or for one target. Past days are computed from stored versions and release dates, with the current labels and targets. With `group_by`, also all values of a label.
         */
        get: operations["getFreshness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/freshness/things": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List freshness by deployed version
         * @description All pairs of a scrape job and a gather job with an active alert configuration and a deployed version.
         */
        get: operations["listFreshnessThings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reference-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reference data
         * @description Third-party data that rules use, and its age.
         */
        get: operations["listReferenceSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lifecycle-products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List lifecycle products
         * @description The products whose end-of-support dates are known, by name.
         */
        get: operations["listLifecycleProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lifecycle-products/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the product.
                 * @example postgresql
                 */
                name: string;
            };
            cookie?: never;
        };
        /**
         * Get a lifecycle product
         * @description Returns a product and the end-of-support dates of its release lines.
         */
        get: operations["getLifecycleProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/freshness-targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List freshness targets
         * @description The organization's freshness targets, newest first.
         */
        get: operations["listFreshnessTargets"];
        put?: never;
        /**
         * Create a freshness target
         * @description Creates a target. It is measured within seconds. An organization can have 50.
         */
        post: operations["createFreshnessTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/freshness-targets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a freshness target
         * @description One freshness target.
         */
        get: operations["getFreshnessTarget"];
        /**
         * Update a freshness target
         * @description Updates the given fields of a freshness target. It is measured again within seconds.
         */
        put: operations["updateFreshnessTarget"];
        post?: never;
        /**
         * Delete a freshness target
         * @description Deletes a freshness target and its history.
         */
        delete: operations["deleteFreshnessTarget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/silences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List silences
         * @description The organization's silences, newest first. Ended ones are kept for as long as resolved alerts.
         */
        get: operations["listSilences"];
        put?: never;
        /**
         * Create a silence
         * @description Creates a silence. While it's active, no notifications are sent for alerts that it matches. Alerts that open or escalate and are still open when it ends are reported then, in one message for each channel. An organization can have 200 silences that haven't ended, with 100 different patterns (`=~` and `!~`) together.
         */
        post: operations["createSilence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/silences/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a silence
         * @description Returns how many open alerts a silence with these criteria matches. Nothing is written. Returns 400 if comparing the patterns with the labels of the open alerts takes too long.
         */
        post: operations["previewSilence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/silences/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a silence
         * @description One silence.
         */
        get: operations["getSilence"];
        /**
         * Update a silence
         * @description Updates the given fields of a silence that hasn't ended. An `ends_at` in the past ends an active silence now.
         */
        put: operations["updateSilence"];
        post?: never;
        /**
         * Delete a silence
         * @description Deletes a silence. An active one ends now, as with `PUT`. To keep it in the list as ended, set `ends_at` instead.
         */
        delete: operations["deleteSilence"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get notification settings
         * @description The default channel and the reminder interval.
         */
        get: operations["getNotificationSettings"];
        /**
         * Update notification settings
         * @description Updates the given fields. The default channel must belong to the organization and can't be a channel that creates tickets.
         */
        put: operations["updateNotificationSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notification deliveries
         * @description The organization's notification deliveries, newest first.
         */
        get: operations["listNotificationDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-deliveries/dead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dead letters
         * @description Deliveries that failed after all attempts, newest first.
         */
        get: operations["listDeadNotificationDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a notification delivery
         * @description Retries a dead-letter or canceled delivery: a new series of attempts with the same `webhook-id`. While its channel is inactive, it waits (`waiting_for` is `channel`), and its attempts start when the channel is enabled. Other deliveries, and those whose channel was deleted, can't be retried.
         */
        post: operations["retryNotificationDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notification delivery
         * @description A delivery with every attempt. Request and response bodies are returned to the `admin` and `owner` roles only.
         */
        get: operations["getNotificationDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-deliveries/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry many notification deliveries
         * @description Returns up to 1,000 dead letters or canceled deliveries that match the filter to `pending`. Those whose channel is inactive wait until it is enabled.
         */
        post: operations["retryNotificationDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send feedback
         * @description Sends a message to the server's operators.
         */
        post: operations["createFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/caller": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller
         * @description The credential that sends the request, with its role and its organization.
         */
        get: operations["getCaller"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The organization's keys, newest first, without their secrets. System keys aren't listed.
         */
        get: operations["listAPIKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates an API key and returns its secret once. Requires a login: returns 401 `login_required` for API keys. The role of the key is at most the creator's role. An organization can have 1,000 keys; revoked and expired ones don't count.
         */
        post: operations["createAPIKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description A key, without its secret.
         */
        get: operations["getAPIKey"];
        /**
         * Update an API key
         * @description Updates the name or description of a key.
         */
        put: operations["updateAPIKey"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable or disable an API key
         * @description Toggles whether a key is active, from the next request. A revoked key can't be enabled.
         */
        post: operations["toggleAPIKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * @description Revokes a key permanently, from the next request. This can't be undone. Revoked keys don't change.
         */
        post: operations["deactivateAPIKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description The organization's members, newest first, and the open invitations.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite a member
         * @description Creates an invitation and returns its link once. The response is the same whether or not the address is known. The role is at most the inviter's role. Requires a login: returns 401 `login_required` for API keys. The link stops working when the inviter is removed or can no longer assign the role. An organization can have at most 200 open invitations; more are rejected with 409.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Update the role of a member
         * @description Changes a member's role. Only owners can add or change owners. The last owner can't be changed. Requires a login. A lower role revokes the member's API keys and open invitations that the new role can't create, and every role change voids the member's reset links. `GET /members/{id}/change-preview` lists them in advance.
         */
        put: operations["updateMember"];
        post?: never;
        /**
         * Remove a member
         * @description Ends a membership. The member's sessions in this organization, API keys, open invitations, and reset links end with it. The last owner can't be removed. Requires a login. `GET /members/{id}/change-preview` lists what ends.
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{id}/change-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview removing a member or changing the role
         * @description What stops working when the member is removed or, with `role`, gets this role: API keys and open invitations created by the member that the new role can't create. Nothing changes.
         */
        get: operations["previewMemberChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{id}/reset-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a password reset link
         * @description Creates a single-use password reset link, valid for a day. The current password works until the link is used. Requires a login. The link stops working when the member's role changes, when its creator is removed or demoted, and for accounts that also belong to another organization: only the server operator can reset the password of such an account (`admin reset-password`).
         */
        post: operations["createMemberResetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{id}": {
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
         * Revoke an invitation
         * @description Revokes an open invitation; its link stops working. Only owners can revoke the invitation of an owner. Accepted, revoked, and expired invitations return 404.
         */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List hooks
         * @description The organization's hooks, newest first. Secrets aren't included.
         */
        get: operations["listHooks"];
        put?: never;
        /**
         * Create a hook
         * @description Creates a URL for events from a platform and returns its secret, which isn't returned again. An event runs the organization's active jobs for the repository or image that it names: scrape, discovery, and gather jobs of a repository, and gather jobs of an image. Hooks run a job at most once a minute, and once after the last event.
         */
        post: operations["createHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{id}": {
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
         * Delete a hook
         * @description Deletes a hook. Its URL stops working immediately.
         */
        delete: operations["deleteHook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit exports
         * @description The organization's audit exports and their health, newest first. Secrets aren't included.
         */
        get: operations["listAuditExports"];
        put?: never;
        /**
         * Create an audit export
         * @description Sends new entries of the audit log from now on, in order. A webhook receives them at least once, up to 100 per request, as `audit_log.entries` with the entries in `data.entries`. The response contains the secret that signs the requests, which isn't returned again. A syslog receiver gets each entry as JSON in an RFC 5424 message. Because syslog has no acknowledgments, entries count as received when the receiver has read all of them and closed the connection. Failed requests and connections are retried until they succeed, at intervals of up to about 15 minutes, or 30 if `Retry-After` requires it. To change an audit export, create another one with `since` and delete the first.
         */
        post: operations["createAuditExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-exports/{id}": {
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
         * Delete an audit export
         * @description Deletes an audit export. A request in progress isn't canceled.
         */
        delete: operations["deleteAuditExport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Who created, changed, or deleted what, newest first: every edit through the API with its changed fields, and changes of keys, members, and settings. Setting versions, runs, evaluations, and actions on alerts aren't edits.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/software": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List software
         * @description Lists deployed software: one item for each scrape job, with its worst alert configuration. `rule_id`, `gather_job_id`, and `label` restrict the alert configurations that are considered; `state` and `severity` apply to the worst of them.
         */
        get: operations["listSoftware"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/software/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change software in bulk
         * @description Labels, enables, disables, or deletes up to 500 items, or changes their rule, and returns the outcome of each and the requests that undo it. Each item is changed in its own transaction.
         */
        post: operations["changeSoftware"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/software/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the labels of software
         * @description Labels of alert configurations, and of scrape jobs without an alert configuration. Each has the number of scrape
         *     jobs that the software list finds with the filter `label`.
         */
        get: operations["getSoftwareLabels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved-views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved views
         * @description The views that the organization shares and that the user saved. Requires a login.
         */
        get: operations["listSavedViews"];
        put?: never;
        /**
         * Save a view
         * @description Saves the filters, order, and columns of a page under a name. A user can have 100 views, and an organization can share 100. Requires a login.
         */
        post: operations["createSavedView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved-views/{id}": {
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
         * Delete a saved view
         * @description Deletes a view of the user or, with the member role, a shared one. Requires a login.
         */
        delete: operations["deleteSavedView"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/environments/matrix": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the environment matrix
         * @description The deployed versions of each service in each environment, by service and component. Labels of active scrape jobs name the service, the component, and the environment, as set by the `environments.*` settings. Each cell is compared with the previous environment that has the service; if the cell has several versions, the lowest one is compared. With `drift`, at most 5,000 services are searched.
         */
        get: operations["getEnvironmentMatrix"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/environments/comparisons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare environments
         * @description Compares the services of an environment with those of another one. In one transaction, creates a gather job for each scrape job of the other environment, and an alert configuration for each scrape job to monitor. Existing ones are reused. If several scrape jobs report a service in the other environment, the oldest one is used. At most 5,000 services.
         */
        post: operations["compareEnvironments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/environments/promotions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List promotions
         * @description How versions moved from one environment to another, by service and component. Includes services in at least two environments. With `from`, includes services in that environment and a later one; with `to`, services in that environment and an earlier one. A version counts once, when each environment first had it. Times are those at which Pacekeeper first saw the versions, so they're as precise as the intervals of the scrape jobs.
         */
        get: operations["listPromotions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the overview
         * @description Counts and items that need attention, for the overview page.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream changes
         * @description Server-sent events. Each names a changed resource of the organization, so that a client can fetch it again; its `data` is a ChangeEvent. A stream starts with the resources that changed in the previous ten seconds, without IDs, so that a client that fetches first and then opens the stream misses nothing. Changes of resources that the role can't list, such as members and API keys below `admin`, aren't included. The credential is checked again every minute. A user or API key can have at most five streams and an organization 500; more are rejected with 429.
         */
        get: operations["streamEvents"];
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
        /**
         * @description Sort order of jobs. A leading `-` is descending.
         * @example -created_at
         * @enum {string}
         */
        JobSort: "-created_at" | "created_at" | "name" | "-name";
        /**
         * @description `organization`, or `global` for resources created with a system key and visible to all organizations.
         * @example organization
         * @enum {string}
         */
        Scope: "organization" | "global";
        /**
         * @description Job status. `pending`: not run yet or queued. `in_progress`: running. `completed` and `failed`: result of the last run. Manual scrape jobs have no runs; they are `completed` once they have a version.
         * @example pending
         * @enum {string}
         */
        JobStatus: "pending" | "in_progress" | "completed" | "failed";
        /**
         * @description The kind of source that releases come from. `deployed_versions` and `lifecycle` have no runs: the releases of `deployed_versions` are versions of a scrape job, and `lifecycle` has support dates and no releases.
         * @example github_releases
         * @enum {string}
         */
        ReleaseSourceType: "github_releases" | "helm_repository" | "oci_registry" | "git_tags" | "gitlab_releases" | "gitea_releases" | "http_json" | "http_text" | "deployed_versions" | "lifecycle";
        /**
         * @description A display name; doesn't need to be unique. Surrounding whitespace is removed before its length is checked.
         * @example Ingress controller
         */
        Name: string;
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
         * @description A package URL: `pkg:type/namespace/name`.
         * @example pkg:github/grafana/grafana
         */
        PackageUrl: string;
        /**
         * @description `set` by a request; `source`: the repository that the source reads; `annotation` of an image's manifest; `label` of an image; `chart`: the sources or home page of a chart; `catalog`: an entry of the catalog.
         * @example source
         * @enum {string}
         */
        ProjectUrlSource: "set" | "source" | "annotation" | "label" | "chart" | "catalog";
        /**
         * @description Which version identifies the software: that of the `artifact`, or, for charts, that of the `application`, which is the `app_version` of the release. The end of life of a chart is always that of its application.
         * @example artifact
         * @enum {string}
         */
        VersionOf: "artifact" | "application";
        /**
         * @description A package of OSV as `ECOSYSTEM/NAME`. The ecosystem must be one that OSV defines. For Go modules, without the major version: the package covers all of them.
         * @example Bitnami/nginx
         * @example Go/k8s.io/kubernetes
         */
        VulnerabilityPackageName: string;
        /**
         * @description IANA time zone name for the cron expression.
         * @example Europe/Berlin
         */
        CronTimezone: string;
        /**
         * @description Why a job is waiting: its schedule, an available agent, or a rate limit.
         * @example time
         * @enum {string}
         */
        JobWaitingFor: "time" | "agent" | "host_limit";
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
         * @description Status of a run. `succeeded`, `failed`, and `canceled` are final.
         * @example queued
         * @enum {string}
         */
        RunStatus: "queued" | "in_progress" | "succeeded" | "failed" | "canceled";
        /**
         * @description Why a run was started: its schedule, manually, because the job was created, because the job's source changed, or an event that a hook received.
         * @example schedule
         * @enum {string}
         */
        RunTrigger: "schedule" | "manual" | "created" | "changed" | "hook";
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
         * @description Part of the source's list that couldn't be read. `oldest`: only the oldest releases, at the end of the list. `anywhere`: newer releases can be missing, too.
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
         * @description Results of a run. Fields that don't apply to the kind of job are absent.
         * @example {
         *       "not_modified": false,
         *       "is_complete_list": true,
         *       "requests": 3,
         *       "found": 120,
         *       "added": 2,
         *       "updated": 1,
         *       "withdrawn": 0,
         *       "skipped": 4,
         *       "skipped_examples": [
         *         {
         *           "name": "nightly",
         *           "reason": "doesn't match version_pattern"
         *         }
         *       ]
         *     }
         */
        RunSummary: {
            /** @description The source reported no changes since the last run. */
            not_modified?: boolean;
            /** @description The complete list was read, not only the newest part. */
            is_complete_list?: boolean;
            list_cut?: components["schemas"]["ListCut"];
            /** @description Requests sent to the source. */
            requests?: number;
            /** @description Releases or charts read. */
            found?: number;
            /** @description New releases, items, or repositories of a group. */
            added?: number;
            /** @description Known releases or items that changed. */
            updated?: number;
            /** @description Known releases that the source no longer lists. */
            withdrawn?: number;
            /** @description Skipped tags or charts, or items and files that can't be proposed. */
            skipped?: number;
            /** @description Files of the repository. */
            files?: number;
            /** @description Files that were read because their content was new. */
            files_read?: number;
            /** @description Files that yield no versions. `coverage` of the discovery job describes them. */
            silent_count?: number;
            /** @description How many items and files weren't proposed, by reason code. */
            reasons?: {
                [key: string]: number;
            };
            /** @description Files and directories that couldn't be read. Their items keep their version. */
            unread_count?: number;
            /** @description Items that keep their version because their file wasn't read or the scan missed too many items. */
            unread?: number;
            /** @description Repositories of a group that have another name. */
            renamed?: number;
            /** @description Scans of repositories that the listing of a group requested. */
            requested?: number;
            /** @description Repositories of a group that weren't scanned, because nothing was pushed to them. */
            unchanged?: number;
            /** @description Accepted items that another artifact replaced. */
            replaced?: number;
            /** @description Items or repositories that were found before but not by this run. */
            missing?: number;
            /** @description Items that are no longer found, since this run. */
            gone?: number;
            /** @description Versions that differ from the previous ones. */
            recorded?: number;
            /** @description Examples of skipped items, with reasons. */
            skipped_examples?: components["schemas"]["SkippedItem"][];
            /** @description Warnings for people to review. */
            warnings?: string[];
            /** @description Charts of the repository after the filter. */
            charts?: number;
            /** @description Gather jobs created by the sync. */
            gather_jobs_created?: number;
            /** @description The version in the file. */
            raw_version?: string;
            /** @description The version after the transform. */
            version?: string;
            /** @description The commit that was read. */
            commit_sha?: string | null;
            /** @description The version differs from the previous one. */
            is_change?: boolean;
        };
        /**
         * @description One execution of a job.
         * @example {
         *       "id": 981,
         *       "status": "succeeded",
         *       "trigger": "schedule",
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "started_at": "2026-11-21T05:10:00.120Z",
         *       "finished_at": "2026-11-21T05:10:01.480Z",
         *       "duration_ms": 1360,
         *       "agent_id": 1,
         *       "attempt": 1,
         *       "error": null,
         *       "summary": {
         *         "not_modified": true,
         *         "requests": 1,
         *         "found": 0,
         *         "added": 0
         *       }
         *     }
         */
        Run: {
            /**
             * Format: int64
             * @description ID of the run.
             */
            id: number;
            status: components["schemas"]["RunStatus"];
            trigger: components["schemas"]["RunTrigger"];
            /**
             * Format: date-time
             * @description When the run was requested.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When an agent claimed it. Null while queued.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description End time. Null until then.
             */
            finished_at: string | null;
            /** @description Duration in milliseconds. Null until it ends. */
            duration_ms: number | null;
            /**
             * Format: int64
             * @description The agent that last claimed it.
             */
            agent_id: number | null;
            /** @description Number of the current attempt, starting at 1. 0 before the first. */
            attempt: number;
            /** @description Why it or its last attempt failed. Null if nothing failed. */
            error: components["schemas"]["RunError"] | null;
            /** @description The results. Null until it ends. */
            summary: components["schemas"]["RunSummary"] | null;
        };
        /**
         * @description How much of the source's list is known. `complete_at_top`: the oldest releases can be missing, but no newer ones. `incomplete`: newer releases can be missing, so the list can't confirm the state `ok`.
         * @example complete
         * @enum {string}
         */
        ListCompleteness: "complete" | "complete_at_top" | "incomplete";
        /** @description Incremented when a field that requests can change is changed, but not by runs, evaluations, or health. `ETag` has it in quotes. */
        Revision: number;
        /**
         * @description A source of upstream releases, its state, and its results.
         * @example {
         *       "id": 42,
         *       "name": "ingress-nginx releases",
         *       "source_type": "github_releases",
         *       "artifact_name": "github.com/kubernetes/ingress-nginx",
         *       "source_options": {},
         *       "version_scheme": "auto",
         *       "version_pattern": "^controller-v(.+)$",
         *       "include_prereleases": true,
         *       "max_releases": null,
         *       "ignored_versions": [],
         *       "counted_versions": [],
         *       "platform_words": [],
         *       "purls": [
         *         "pkg:github/kubernetes/ingress-nginx"
         *       ],
         *       "purls_source": "derived",
         *       "project_url": "https://github.com/kubernetes/ingress-nginx",
         *       "project_url_source": "source",
         *       "version_of": "artifact",
         *       "lifecycle_product": null,
         *       "lifecycle_product_source": null,
         *       "vulnerability_packages": [
         *         "Bitnami/nginx"
         *       ],
         *       "vulnerability_packages_source": "catalog",
         *       "changelog_path": "CHANGELOG.md",
         *       "cron_expression": "*\/30 * * * *",
         *       "cron_timezone": "UTC",
         *       "credential_name": null,
         *       "is_active": true,
         *       "scope": "organization",
         *       "status": "completed",
         *       "waiting_for": "time",
         *       "waiting_until": "2026-11-21T05:40:11.000Z",
         *       "managed_by": null,
         *       "next_run_at": "2026-11-21T05:40:11.000Z",
         *       "last_run": {
         *         "id": 981,
         *         "status": "succeeded",
         *         "trigger": "schedule",
         *         "created_at": "2026-11-21T05:10:00.000Z",
         *         "started_at": "2026-11-21T05:10:00.120Z",
         *         "finished_at": "2026-11-21T05:10:01.480Z",
         *         "duration_ms": 1360,
         *         "agent_id": 1,
         *         "attempt": 1,
         *         "error": null,
         *         "summary": {
         *           "not_modified": true,
         *           "requests": 1,
         *           "found": 0,
         *           "added": 0
         *         }
         *       },
         *       "release_count": 120,
         *       "latest_version": "1.12.0-beta.0",
         *       "latest_stable_version": "1.11.3",
         *       "latest_released_at": "2026-11-21T05:10:00.000Z",
         *       "is_archived": false,
         *       "is_deprecated": null,
         *       "list_completeness": "complete",
         *       "helm_sync_job_id": null,
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z",
         *       "revision": 3
         *     }
         */
        GatherJob: {
            /**
             * Format: int64
             * @description ID of the gather job.
             */
            id: number;
            name: components["schemas"]["Name"];
            source_type: components["schemas"]["ReleaseSourceType"];
            /** @description The artifact to track. Format by source type: `github.com/owner/repo`, `host/path/chart`, an image reference without tag, a Git URL, `host/owner/repo`, or a URL. For `deployed_versions`: `scrape-job/` and an ID. For `lifecycle`: the product. The scheme and a trailing slash are removed, except for Git and other URLs; user information is rejected. */
            artifact_name: string;
            source_options: components["schemas"]["GatherSourceOptions"];
            version_scheme: components["schemas"]["VersionScheme"];
            /** @description RE2 pattern for tags. Only matching tags are kept, and the first capture group (or the match) is the version. Null: every tag unchanged. */
            version_pattern: string | null;
            /** @description Whether to store pre-releases. */
            include_prereleases: boolean;
            /** @description Maximum releases kept per variant (the highest versions). Null: the `gather.max_releases` setting. */
            max_releases: number | null;
            /** @description Releases to ignore in all alert configurations that use the job, by version. */
            ignored_versions: string[];
            /** @description Releases to compare in all alert configurations that use the job even though they don't fit the others (`outlier` in the explanation), by version. Days behind are counted from when the release was added. */
            counted_versions: string[];
            /** @description Platform words used to read this job's versions, in addition to the built-in ones: those of the `versions.platform_words` setting of the job's organization, or the global ones if the job is global. After the setting changes, jobs are updated one after another. */
            platform_words: string[];
            /** @description Package URLs of the artifact, without versions. Images have the form `pkg:oci/name?repository_url=…`. Derived from the source unless set. */
            purls: components["schemas"]["PackageUrl"][];
            /**
             * @description Where `purls` come from: `derived` from the source, or `set` by a request.
             * @enum {string}
             */
            purls_source: "derived" | "set";
            /** @description Repository of the software in the artifact, such as the application in a chart. Null when unknown. Pacekeeper never overwrites one that was set. */
            project_url: string | null;
            /** @description Where `project_url` comes from. Null without one. */
            project_url_source: components["schemas"]["ProjectUrlSource"] | null;
            version_of: components["schemas"]["VersionOf"];
            /** @description The product on endoflife.date whose end-of-support dates apply. `none` if it was set to have none. Null: unknown. */
            lifecycle_product: string | null;
            /**
             * @description Where `lifecycle_product` comes from: `set` by a request, the `catalog`, or a product with one of the job's package URLs (`purl`). Null without one.
             * @enum {string|null}
             */
            lifecycle_product_source: "set" | "catalog" | "purl" | null;
            /** @description The packages whose known vulnerabilities apply to the artifact. Empty for none. */
            vulnerability_packages: components["schemas"]["VulnerabilityPackageName"][];
            /**
             * @description Where `vulnerability_packages` comes from: `set` by a request, the `catalog`, or the job's package URLs (`purl`). Null if no data is known.
             * @enum {string|null}
             */
            vulnerability_packages_source: "set" | "catalog" | "purl" | null;
            /** @description Path of a changelog in the repository, such as `CHANGELOG.md`, relative to its root. It is read at the newest tag, and its sections fill releases that have no notes. Only for `github_releases`, `gitlab_releases`, `gitea_releases`, and `git_tags`. Null: none is read. */
            changelog_path: string | null;
            /** @description Five-field cron expression or a shortcut such as `@daily`. Null: no schedule; the job runs when created, reconfigured, or triggered manually. */
            cron_expression: string | null;
            cron_timezone: components["schemas"]["CronTimezone"];
            /** @description Name of a credential in an agent's configuration. Null: none. */
            credential_name: string | null;
            /** @description Whether it runs on its schedule. */
            is_active: boolean;
            scope: components["schemas"]["Scope"];
            status: components["schemas"]["JobStatus"];
            /** @description Why it is waiting. Null while it runs or when nothing is scheduled. */
            waiting_for: components["schemas"]["JobWaitingFor"] | null;
            /**
             * Format: date-time
             * @description End of the wait if `waiting_for` is `time` or `host_limit`: when the delay after a failure or the rate limit ends. Null otherwise.
             */
            waiting_until: string | null;
            /** @description The discovery job that created the gather job for a discovered item. Null if no discovery job created it. */
            managed_by: components["schemas"]["NamedReference"] | null;
            /**
             * Format: date-time
             * @description Next run. Null without a schedule or when inactive.
             */
            next_run_at: string | null;
            /** @description Start of the last run. Null before the first. */
            last_run: components["schemas"]["Run"] | null;
            /** @description Number of stored releases. */
            release_count: number;
            /** @description The highest version by precedence among releases of the common form (no suffix, most frequent prefix), or among all if there are none. Null without releases. */
            latest_version: string | null;
            /** @description The highest stable version by precedence. Null when there is none. */
            latest_stable_version: string | null;
            /**
             * Format: date-time
             * @description Release date of `latest_version`. Null when unknown.
             */
            latest_released_at: string | null;
            /** @description Whether GitHub, GitLab, Gitea, or Forgejo marks the repository as archived. Checked once a week. Null if unknown. */
            is_archived: boolean | null;
            /** @description Whether the latest version of the chart is marked as deprecated. Null if unknown, and for other sources. */
            is_deprecated: boolean | null;
            /** @description How much of the source's list the job has. Null until a run has read the list or found that it's incomplete. */
            list_completeness: components["schemas"]["ListCompleteness"] | null;
            /**
             * Format: int64
             * @description The helm sync job that created and manages it. Null for others.
             */
            helm_sync_job_id: number | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description A page of gather jobs.
         * @example {
         *       "items": [
         *         {
         *           "id": 42,
         *           "name": "ingress-nginx releases",
         *           "source_type": "github_releases",
         *           "artifact_name": "github.com/kubernetes/ingress-nginx",
         *           "source_options": {},
         *           "version_scheme": "auto",
         *           "version_pattern": "^controller-v(.+)$",
         *           "include_prereleases": true,
         *           "max_releases": null,
         *           "ignored_versions": [],
         *           "counted_versions": [],
         *           "platform_words": [],
         *           "purls": [
         *             "pkg:github/kubernetes/ingress-nginx"
         *           ],
         *           "purls_source": "derived",
         *           "project_url": "https://github.com/kubernetes/ingress-nginx",
         *           "project_url_source": "source",
         *           "version_of": "artifact",
         *           "lifecycle_product": null,
         *           "lifecycle_product_source": null,
         *           "vulnerability_packages": [
         *             "Bitnami/nginx"
         *           ],
         *           "vulnerability_packages_source": "catalog",
         *           "is_archived": false,
         *           "is_deprecated": null,
         *           "list_completeness": "complete",
         *           "changelog_path": null,
         *           "cron_expression": "*\/30 * * * *",
         *           "cron_timezone": "UTC",
         *           "credential_name": null,
         *           "is_active": true,
         *           "scope": "organization",
         *           "status": "completed",
         *           "waiting_for": "time",
         *           "waiting_until": "2026-11-21T05:40:11.000Z",
         *           "next_run_at": "2026-11-21T05:40:11.000Z",
         *           "last_run": {
         *             "id": 981,
         *             "status": "succeeded",
         *             "trigger": "schedule",
         *             "created_at": "2026-11-21T05:10:00.000Z",
         *             "started_at": "2026-11-21T05:10:00.120Z",
         *             "finished_at": "2026-11-21T05:10:01.480Z",
         *             "duration_ms": 1360,
         *             "agent_id": 1,
         *             "attempt": 1,
         *             "error": null,
         *             "summary": {
         *               "not_modified": true,
         *               "requests": 1,
         *               "found": 0,
         *               "added": 0
         *             }
         *           },
         *           "release_count": 120,
         *           "latest_version": "1.12.0-beta.0",
         *           "latest_stable_version": "1.11.3",
         *           "latest_released_at": "2026-11-21T05:10:00.000Z",
         *           "helm_sync_job_id": null,
         *           "created_at": "2026-11-21T05:10:00.000Z",
         *           "updated_at": "2026-11-21T05:10:00.000Z",
         *           "managed_by": null,
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListGatherJobsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["GatherJob"][];
            /** @description Total number of items, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
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
            code: "validation_failed" | "unauthenticated" | "login_required" | "forbidden" | "two_factor_required" | "not_found" | "method_not_allowed" | "conflict" | "in_use" | "lease_lost" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
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
             * @description With `conflict`, the ID of the configuration that is being applied.
             */
            configuration_apply_id?: number;
        };
        /**
         * @description The version string. Surrounding whitespace is removed before its length is checked. Control characters and characters that change the direction of text are rejected.
         * @example 1.25.3
         */
        VersionString: string;
        /**
         * @description A new gather job. If active, it runs immediately after creation.
         * @example {
         *       "name": "ingress-nginx releases",
         *       "source_type": "github_releases",
         *       "artifact_name": "github.com/kubernetes/ingress-nginx",
         *       "version_pattern": "^controller-v(.+)$",
         *       "cron_expression": "*\/30 * * * *"
         *     }
         */
        CreateGatherJobRequest: {
            name: components["schemas"]["Name"];
            source_type: components["schemas"]["ReleaseSourceType"];
            /** @description The artifact to track, in any common form: `owner/repo`, the URL of a repository or any of its pages, an image reference with tag or digest, a `docker pull` command, or the URL of a Helm repository and the name of a chart. It is stored in one form by source type: `github.com/owner/repo`, `host/owner/repo`, `host/path/chart`, an image reference without tag, a Git URL, or a URL. User information is rejected. For `deployed_versions`: `scrape-job/` and an ID. For `lifecycle`, which has no address: the same as `lifecycle_product`. */
            artifact_name: string;
            /** @default {} */
            source_options?: components["schemas"]["GatherSourceOptions"];
            /** @description How versions are ordered. Default: `semver` for `helm_repository`, `auto` for other sources. */
            version_scheme?: components["schemas"]["VersionScheme"];
            /**
             * @description RE2 pattern for tags. Only matching tags are kept, and the first capture group (or the match) is the version. Null: every tag unchanged.
             * @default null
             */
            version_pattern?: string | null;
            /**
             * @description Whether to store pre-releases.
             * @default true
             */
            include_prereleases?: boolean;
            /**
             * @description Maximum releases kept per variant (the highest versions). Null: the `gather.max_releases` setting.
             * @default null
             */
            max_releases?: number | null;
            /**
             * @description Releases to ignore in all alert configurations that use the job, by version.
             * @default []
             */
            ignored_versions?: components["schemas"]["VersionString"][];
            /**
             * @description Releases to compare in all alert configurations that use the job even though they don't fit the others (`outlier` in the explanation), by version. Days behind are counted from when the release was added.
             * @default []
             */
            counted_versions?: components["schemas"]["VersionString"][];
            /**
             * @description Package URLs of the artifact. Versions in them are removed, and images are stored as `pkg:oci/name?repository_url=…`. Null: derived from the source.
             * @default null
             */
            purls?: components["schemas"]["PackageUrl"][] | null;
            /**
             * @description Repository of the software in the artifact, as an http or https URL. Null: derived from the source, the labels of an image, or the chart.
             * @default null
             */
            project_url?: string | null;
            /** @default artifact */
            version_of?: components["schemas"]["VersionOf"];
            /**
             * @description Name of the product on endoflife.date (see `GET /lifecycle-products`), or `none`. Null: the product that the catalog names or that has one of the package URLs. Required for `lifecycle`.
             * @default null
             */
            lifecycle_product?: string | null;
            /**
             * @description The packages whose known vulnerabilities apply to the artifact. Empty: none. Null: those from the catalog, or from the package URLs.
             * @default null
             */
            vulnerability_packages?: components["schemas"]["VulnerabilityPackageName"][] | null;
            /**
             * @description Path of a changelog in the repository, such as `CHANGELOG.md`, relative to its root. It is read at the newest tag, and its sections fill releases that have no notes. Only for `github_releases`, `gitlab_releases`, `gitea_releases`, and `git_tags`. Null: none is read.
             * @default null
             */
            changelog_path?: string | null;
            /**
             * @description Five-field cron expression or a shortcut such as `@daily`. Null: no schedule; the job runs when created, reconfigured, or triggered manually. Jobs of type `deployed_versions` or `lifecycle` don't run and have no schedule.
             * @default null
             */
            cron_expression?: string | null;
            /** @default UTC */
            cron_timezone?: components["schemas"]["CronTimezone"];
            /**
             * @description Name of a credential in an agent's configuration. Null: none.
             * @default null
             */
            credential_name?: string | null;
            /**
             * @description Whether it runs on its schedule.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description Tags, and how to read them. Nothing is stored or fetched. The tags are those of the given job's stored releases (at most 10,000, the highest first), or those in `tags`. Omitted fields have the job's values, or else the defaults of a new job.
         * @example {
         *       "gather_job_id": 9,
         *       "version_pattern": "^v[\\d.]+$",
         *       "deployed_version": "v3.1.2"
         *     }
         * @example {
         *       "tags": [
         *         "v3.1.2",
         *         "v3.2.0",
         *         "v3.3.0-rc1"
         *       ]
         *     }
         */
        PreviewGatherJobRequest: {
            /**
             * Format: int64
             * @description The gather job whose stored releases are read. Omit if `tags` is given.
             */
            gather_job_id?: number;
            /** @description Tags to read instead, in any order. They have no dates. */
            tags?: string[];
            /** @description Tags of `oci_registry` can move, such as `20` or `20-alpine`. */
            source_type?: components["schemas"]["ReleaseSourceType"];
            version_scheme?: components["schemas"]["VersionScheme"];
            /** @description RE2 pattern for tags. Only matching tags are kept, and the first capture group (or the match) is the version. Null: every tag unchanged. */
            version_pattern?: components["schemas"]["Pattern"] | null;
            /** @description Whether pre-releases are kept. */
            include_prereleases?: boolean;
            /**
             * @description A deployed version to compare with the releases. Null for none.
             * @default null
             */
            deployed_version?: components["schemas"]["VersionString"] | null;
        };
        /**
         * @description A release in a preview.
         * @example {
         *       "version": "v3.2.0",
         *       "released_at": "2026-03-01T10:00:00.000Z"
         *     }
         */
        PreviewedRelease: {
            /** @description Its version. */
            version: string;
            /**
             * Format: date-time
             * @description Its release date. Null when unknown.
             */
            released_at: string | null;
        };
        /**
         * @description The lines and variants of a gather job's releases, and what a deployed version is compared with.
         * @example {
         *       "release_count": 61,
         *       "is_complete": true,
         *       "unmatched": {
         *         "count": 2,
         *         "examples": [
         *           "chart-1.0.0",
         *           "nightly"
         *         ]
         *       },
         *       "latest": {
         *         "version": "v3.2.0",
         *         "released_at": "2026-03-01T10:00:00.000Z"
         *       },
         *       "lines": [
         *         {
         *           "line": "",
         *           "variant": "",
         *           "count": 61,
         *           "latest": {
         *             "version": "v3.2.0",
         *             "released_at": "2026-03-01T10:00:00.000Z"
         *           },
         *           "is_compared": true
         *         }
         *       ],
         *       "line_count": 1,
         *       "jump": null,
         *       "left_out": [],
         *       "deployed": {
         *         "match": "exact",
         *         "release": "v3.1.2",
         *         "adopted_line": null,
         *         "latest": "v3.2.0",
         *         "behind_by": {
         *           "days_behind": 14,
         *           "majors_behind": 0,
         *           "minors_behind": 1,
         *           "upstream_silent": 14,
         *           "end_of_life": null,
         *           "known_vulnerabilities": null
         *         }
         *       }
         *     }
         */
        PreviewGatherJobResponse: {
            /** @description Number of releases. */
            release_count: number;
            /** @description Whether all stored releases of the job were read. */
            is_complete: boolean;
            /** @description The tags that `version_pattern` excludes. */
            unmatched: {
                /** @description Number of tags. */
                count: number;
                /** @description Some of these tags. */
                examples: string[];
            };
            /** @description The job's latest stable release, or its latest pre-release. Null when there is none. */
            latest: components["schemas"]["PreviewedRelease"] | null;
            /** @description Up to 50 lines and variants: first the compared one, then those with the most releases. */
            lines: {
                /** @description The name before the numbers. Empty for none. */
                line: string;
                /** @description The words after the numbers. Empty for none. */
                variant: string;
                /** @description Number of releases. */
                count: number;
                latest: components["schemas"]["PreviewedRelease"];
                /** @description Whether the deployed version is compared with these releases. Without a deployed version, whether the job's latest release is one of them. */
                is_compared: boolean;
            }[];
            /** @description Number of lines and variants. */
            line_count: number;
            /** @description An unusually large step up to the latest compared release. Null when there is none. */
            jump: {
                /** @description The highest release below the step. */
                from: string;
                /** @description The releases above the step, one for each version, highest first. */
                above: string[];
            } | null;
            /** @description Releases that never count as the latest, with up to three examples for each reason. */
            left_out: {
                /**
                 * @description The first reason that applies.
                 * @enum {string}
                 */
                reason: "not_a_version" | "platform_tag" | "moving_tag" | "withdrawn" | "yanked" | "ignored" | "outlier";
                /** @description Number of releases. */
                count: number;
                /** @description The highest of these releases. */
                examples: string[];
            }[];
            /** @description How a new alert configuration would compare the deployed version. Null when none was given. */
            deployed: {
                /**
                 * @description How it was matched, as in the explanation of an alert configuration.
                 * @enum {string}
                 */
                match: "exact" | "same_version" | "moving_tag" | "nearest_lower" | "none" | "unparseable" | "no_version";
                /** @description The matched release. Null when there is none. */
                release: string | null;
                /** @description The line it is compared with, if that isn't its own. Empty for releases without a name. */
                adopted_line: string | null;
                /** @description The latest release to compare with. Null when there is none. */
                latest: string | null;
                /** @description How far it is behind, by rule type. Null when it can't be measured. */
                behind_by: {
                    /** @description Days behind. */
                    days_behind: number | null;
                    /** @description Major versions behind. */
                    majors_behind: number | null;
                    /** @description Minor versions behind. */
                    minors_behind: number | null;
                    /** @description Days since the newest release. */
                    upstream_silent: number | null;
                    /** @description Always null. A preview doesn't include support. */
                    end_of_life: number | null;
                    /** @description Always null. A preview doesn't include vulnerabilities. */
                    known_vulnerabilities: number | null;
                };
            } | null;
        };
        /**
         * @description Where releases are published. The fields are those of a gather job.
         * @example {
         *       "source_type": "github_releases",
         *       "artifact_name": "https://github.com/grafana/grafana/releases"
         *     }
         */
        PreviewGatherSourceRequest: {
            /** @description The source type, except `deployed_versions`. Rules can also be previewed for `lifecycle`. */
            source_type: components["schemas"]["ReleaseSourceType"];
            /** @description The artifact, in any spelling that a gather job accepts. */
            artifact_name: string;
            /** @default {} */
            source_options?: components["schemas"]["GatherSourceOptions"];
        };
        /**
         * @description Why no version was found.
         * @example {
         *       "code": "unreachable",
         *       "message": "Couldn't connect to prometheus.example.org."
         *     }
         */
        PreviewSourceError: {
            /** @description A run error code, such as `unreachable`; or, for a parser, where parsing failed, as in the preview of a parser. */
            code: string;
            /** @description The error message, for people. */
            message: string;
        };
        /**
         * @description The releases of a source as a new gather job would read them, or a detailed error.
         * @example {
         *       "artifact_name": "github.com/example/empty",
         *       "gather_job": null,
         *       "error": {
         *         "code": "not_found",
         *         "message": "github.com doesn't have the repository example/empty."
         *       },
         *       "releases": [],
         *       "release_count": 0,
         *       "is_complete": false,
         *       "version_scheme": "auto",
         *       "platform_words": [
         *         "alpine"
         *       ],
         *       "summary": null
         *     }
         */
        PreviewGatherSourceResponse: {
            /** @description The artifact in the spelling under which it is stored. */
            artifact_name: string;
            /** @description An active gather job of the organization, or a global one, that already reads the same source. Then nothing is requested. Null if there is none. */
            gather_job: components["schemas"]["NamedReference"] | null;
            /** @description Why the source couldn't be read. Null on success. */
            error: components["schemas"]["PreviewSourceError"] | null;
            /** @description The highest releases, highest first. */
            releases: {
                /** @description Its version. */
                version: string;
                /**
                 * Format: date-time
                 * @description Its release date. Null when unknown.
                 */
                released_at: string | null;
                /** @description Whether it's a pre-release. */
                is_prerelease: boolean;
                /** @description Whether upstream marks it as yanked. */
                is_yanked: boolean;
                /**
                 * Format: uri
                 * @description Its page.
                 */
                url: string | null;
            }[];
            /** @description How many releases were read. */
            release_count: number;
            /** @description Whether `releases` contains all releases of the source. Long lists are read only in part, and only the highest versions of images have dates. */
            is_complete: boolean;
            /** @description The version scheme of a new gather job. */
            version_scheme: components["schemas"]["VersionScheme"];
            /** @description The platform words of a new gather job. */
            platform_words: string[];
            /** @description The lines and variants of the releases. Null without releases. */
            summary: components["schemas"]["PreviewGatherJobResponse"] | null;
        };
        /** @description Read-only. Requests can include it; its value is ignored. A field that is also in the path (`id`, `key`, `category`) must have the same value. */
        ReadOnlyMember: unknown;
        /**
         * @description Changes to a gather job. At least one field is required; omitted fields keep their values; `ignored_versions` and `counted_versions` are replaced completely. If you send back derived values of `purls`, `project_url`, `lifecycle_product`, and `vulnerability_packages`, they stay derived. Changing the source, artifact, options, pattern, or scheme clears the stored releases and runs the job.
         * @example {
         *       "cron_expression": "@daily",
         *       "include_prereleases": false
         *     }
         */
        UpdateGatherJobRequest: {
            name?: components["schemas"]["Name"];
            source_type?: components["schemas"]["ReleaseSourceType"];
            /** @description As in CreateGatherJobRequest: any common form, stored in one form by source type. User information is rejected. */
            artifact_name?: string;
            source_options?: components["schemas"]["GatherSourceOptions"];
            version_scheme?: components["schemas"]["VersionScheme"];
            /** @description RE2 pattern for tags. Only matching tags are kept, and the first capture group (or the match) is the version. Null: every tag unchanged. */
            version_pattern?: string | null;
            /** @description Whether to store pre-releases. */
            include_prereleases?: boolean;
            /** @description Maximum releases kept per variant (the highest versions). Null: the `gather.max_releases` setting. */
            max_releases?: number | null;
            /** @description Releases to ignore in all alert configurations that use the job, by version. */
            ignored_versions?: components["schemas"]["VersionString"][];
            /** @description Releases to compare in all alert configurations that use the job even though they don't fit the others (`outlier` in the explanation), by version. Days behind are counted from when the release was added. */
            counted_versions?: components["schemas"]["VersionString"][];
            /** @description Package URLs of the artifact. Versions in them are removed, and images are stored as `pkg:oci/name?repository_url=…`. Null: derived from the source. */
            purls?: components["schemas"]["PackageUrl"][] | null;
            /** @description Repository of the software in the artifact, as an http or https URL. Null: derived from the source, the labels of an image, or the chart. */
            project_url?: string | null;
            version_of?: components["schemas"]["VersionOf"];
            /** @description Name of the product on endoflife.date (see `GET /lifecycle-products`), or `none`. Null: the product that the catalog names or that has one of the package URLs. */
            lifecycle_product?: string | null;
            /** @description The packages whose known vulnerabilities apply to the artifact. Empty: none. Null: those from the catalog, or from the package URLs. */
            vulnerability_packages?: components["schemas"]["VulnerabilityPackageName"][] | null;
            /** @description Path of a changelog in the repository, such as `CHANGELOG.md`, relative to its root. It is read at the newest tag, and its sections fill releases that have no notes. Only for `github_releases`, `gitlab_releases`, `gitea_releases`, and `git_tags`. Null: none is read. */
            changelog_path?: string | null;
            /** @description Five-field cron expression or a shortcut such as `@daily`. Null: no schedule; the job runs when created, reconfigured, or triggered manually. */
            cron_expression?: string | null;
            cron_timezone?: components["schemas"]["CronTimezone"];
            /** @description Name of a credential in an agent's configuration. Null: none. */
            credential_name?: string | null;
            /** @description Whether it runs on its schedule. */
            is_active?: boolean;
        };
        /**
         * @description The result of clearing the releases.
         * @example {
         *       "deleted": 120
         *     }
         */
        ClearReleasesResponse: {
            /** @description How many releases were deleted. */
            deleted: number;
        };
        /**
         * @description A page of runs, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 981,
         *           "status": "succeeded",
         *           "trigger": "schedule",
         *           "created_at": "2026-11-21T05:10:00.000Z",
         *           "started_at": "2026-11-21T05:10:00.120Z",
         *           "finished_at": "2026-11-21T05:10:01.480Z",
         *           "duration_ms": 1360,
         *           "agent_id": 1,
         *           "attempt": 1,
         *           "error": null,
         *           "summary": {
         *             "not_modified": true,
         *             "requests": 1,
         *             "found": 0,
         *             "added": 0
         *           }
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListRunsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["Run"][];
            /** @description Total number of items, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description A line of release notes that its authors marked, or a version whose number indicates breaking changes. Hints repeat what the authors wrote: without hints, an upgrade can still break something.
         * @example {
         *       "kind": "breaking",
         *       "text": "The flag --old is removed",
         *       "line": 7
         *     }
         */
        NoteHint: {
            /**
             * @description How the line is marked. `major_version` and `minor_version` (below 1.0) come from the version itself.
             * @enum {string}
             */
            kind: "breaking" | "action_required" | "removed" | "deprecated" | "warning" | "major_version" | "minor_version";
            /** @description The line as plain text. */
            text: string;
            /** @description The line of the notes, starting at 1. Null if it comes from the version. */
            line: number | null;
        };
        /**
         * @description A release between two versions, with its notes.
         * @example {
         *       "release_id": 42,
         *       "version": "2.0.0",
         *       "released_at": "2026-03-01T12:00:00.000Z",
         *       "url": "https://github.com/example/app/releases/tag/v2.0.0",
         *       "notes": "## Breaking changes\n- The flag `--old` is removed",
         *       "notes_source": "release",
         *       "is_cut": false,
         *       "hints": [
         *         {
         *           "kind": "breaking",
         *           "text": "The flag --old is removed",
         *           "line": 2
         *         }
         *       ]
         *     }
         */
        ReleaseWithNotes: {
            /**
             * Format: int64
             * @description The release.
             */
            release_id: number;
            /** @description Its version. */
            version: string;
            /**
             * Format: date-time
             * @description Release date reported by the source. Null when unknown.
             */
            released_at: string | null;
            /** @description URL of the release, `http` or `https`. */
            url: string | null;
            /** @description The notes as upstream wrote them, usually Markdown. Don't render them as HTML without sanitizing. Null if there are none, or if the notes of newer releases fill the response. */
            notes: string | null;
            /**
             * @description Where the notes come from: the release itself, the changelog in its repository, or the project behind an image, chart, or tag. Null without notes.
             * @enum {string|null}
             */
            notes_source: "release" | "changelog" | "project" | null;
            /** @description Whether the notes are longer than what is stored or than what fits into the response. */
            is_cut: boolean;
            /** @description The marked lines of the notes. */
            hints: components["schemas"]["NoteHint"][];
        };
        /**
         * @description The releases after one version, up to and including another, of the same line and variant as the latter. Empty if one of the two isn't a version or the first isn't lower.
         * @example {
         *       "from": "1.9.0",
         *       "to": "2.0.0",
         *       "releases": [
         *         {
         *           "release_id": 42,
         *           "version": "2.0.0",
         *           "released_at": "2026-03-01T12:00:00.000Z",
         *           "url": "https://github.com/example/app/releases/tag/v2.0.0",
         *           "notes": "## Breaking changes\n- The flag `--old` is removed",
         *           "notes_source": "release",
         *           "is_cut": false,
         *           "hints": [
         *             {
         *               "kind": "breaking",
         *               "text": "The flag --old is removed",
         *               "line": 2
         *             }
         *           ]
         *         }
         *       ],
         *       "totals": {
         *         "releases": 1,
         *         "is_exact": true,
         *         "with_notes": 1,
         *         "read": 1,
         *         "hints": 1,
         *         "breaking": 1
         *       },
         *       "compare_url": "https://github.com/example/app/compare/v1.9.0...v2.0.0",
         *       "project_url": "https://github.com/example/app",
         *       "project_gather_job_id": null,
         *       "is_cut": false
         *     }
         */
        ReleaseNotes: {
            /** @description The version after which releases are listed. Null starts at the first release. */
            from: string | null;
            /** @description The last version. Null if no release is known. */
            to: string | null;
            /** @description The releases, highest first. At most 100, with at most 256 KiB of notes. */
            releases: components["schemas"]["ReleaseWithNotes"][];
            /** @description Counts of all releases in between, including those that aren't listed. At most 1,000 are counted. */
            totals: {
                /** @description Releases. */
                releases: number;
                /** @description False if there are more releases than were counted. */
                is_exact: boolean;
                /** @description Releases with notes. */
                with_notes: number;
                /** @description Number of releases, newest first, whose notes were searched for hints. Less than `releases` if the notes exceed 512 KiB; older notes weren't searched. */
                read: number;
                /** @description Hints in the notes that were read. */
                hints: number;
                /** @description Number of releases with a hint of kind `breaking`, `action_required`, or `removed` in the notes that were read. */
                breaking: number;
            };
            /** @description The comparison of the two versions on GitHub, GitLab, or Gitea. Null if it isn't known. */
            compare_url: string | null;
            /** @description The repository of the project. Null if it isn't known. */
            project_url: string | null;
            /**
             * Format: int64
             * @description For images, charts, and tags: the gather job that reads the releases of `project_url`, whose notes are used. Null if there is none.
             */
            project_gather_job_id: number | null;
            /** @description Whether releases or notes are missing because of these limits. */
            is_cut: boolean;
        };
        /**
         * @description How the deployed version is found: as for a new job, or `discovered` for a job that a discovery job feeds.
         * @example yq
         * @enum {string}
         */
        ScrapeJobParserType: "yq" | "jq" | "regex" | "manual" | "discovered";
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
         * @description Transform applied to the version: none; add `v` or `V` unless the version already starts with either; or remove one leading `v` or `V`.
         * @example none
         * @enum {string}
         */
        VersionTransform: "none" | "add_v_lower" | "add_v_upper" | "strip_v_lower" | "strip_v_upper";
        /**
         * @description How a version was found that isn't written next to the image. `digest`: a release of the upstream has the same digest.
         * @example digest
         * @enum {string}
         */
        VersionMatch: "digest";
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
         * @description A source of deployed versions, its state, and the current deployed version.
         * @example {
         *       "id": 42,
         *       "name": "web in production",
         *       "parser_type": "yq",
         *       "source": "git",
         *       "repository_url": "https://github.com/acme/deploy",
         *       "ref": "main",
         *       "target_file": "charts/web/values.yaml",
         *       "url": null,
         *       "query": null,
         *       "label": null,
         *       "series": {},
         *       "parse_expression": ".image.tag",
         *       "version_transform": "none",
         *       "credential_name": "deploy-readonly",
         *       "cron_expression": "*\/15 * * * *",
         *       "cron_timezone": "UTC",
         *       "history_limit": 100,
         *       "is_active": true,
         *       "status": "completed",
         *       "waiting_for": "time",
         *       "waiting_until": "2026-11-21T05:40:11.000Z",
         *       "next_run_at": "2026-11-21T05:40:11.000Z",
         *       "last_run": {
         *         "id": 981,
         *         "status": "succeeded",
         *         "trigger": "schedule",
         *         "created_at": "2026-11-21T05:10:00.000Z",
         *         "started_at": "2026-11-21T05:10:00.120Z",
         *         "finished_at": "2026-11-21T05:10:01.480Z",
         *         "duration_ms": 1360,
         *         "agent_id": 1,
         *         "attempt": 1,
         *         "error": null,
         *         "summary": {
         *           "not_modified": true,
         *           "requests": 1,
         *           "found": 0,
         *           "added": 0
         *         }
         *       },
         *       "latest_version": "1.11.2",
         *       "latest_version_at": "2026-11-21T05:10:00.000Z",
         *       "match": null,
         *       "labels": {},
         *       "discovery_job_id": null,
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z",
         *       "revision": 3
         *     }
         */
        ScrapeJob: {
            /**
             * Format: int64
             * @description ID of the scrape job.
             */
            id: number;
            name: components["schemas"]["Name"];
            parser_type: components["schemas"]["ScrapeJobParserType"];
            source: components["schemas"]["ScrapeSource"];
            /** @description Git repository: `https://` or `ssh://` (or `git@host:path`), without user information and not starting with `-`. Null for manual jobs and sources other than `git`. */
            repository_url: string | null;
            /** @description Branch, tag, commit, or `HEAD`, not starting with `-`. Null for manual jobs and sources other than `git`. */
            ref: string | null;
            /** @description Path of the file, relative to the repository root. Null for manual jobs and sources other than `git`. */
            target_file: string | null;
            /** @description For source `http`: the `https://` URL to read. For source `prometheus`: the URL of the server, without `/api/v1/query`. Null for source `git`. */
            url: string | null;
            /** @description For source `prometheus`, the PromQL query, evaluated as an instant query. Otherwise null. */
            query: string | null;
            /** @description For source `prometheus`, the label whose value is the version. Otherwise null. */
            label: string | null;
            series: components["schemas"]["SeriesLabels"];
            /** @description The path or pattern that locates the version, depending on `parser_type`. Null for manual jobs and, if the whole label is the version, for source `prometheus`. */
            parse_expression: string | null;
            version_transform: components["schemas"]["VersionTransform"];
            /** @description Name of a credential in an agent's configuration. Null: none. */
            credential_name: string | null;
            /** @description Five-field cron expression or a shortcut such as `@daily`. Null: no schedule; the job runs when created, reconfigured, or triggered manually. */
            cron_expression: string | null;
            cron_timezone: components["schemas"]["CronTimezone"];
            /** @description Number of versions to keep. Unchanged ones are deleted first; the newest is always kept. */
            history_limit: number;
            /** @description Whether it runs on its schedule. */
            is_active: boolean;
            status: components["schemas"]["JobStatus"];
            /** @description Why it is waiting. Null while it runs or when nothing is scheduled. */
            waiting_for: components["schemas"]["JobWaitingFor"] | null;
            /**
             * Format: date-time
             * @description End of the wait if `waiting_for` is `time` or `host_limit`: when the delay after a failure or the rate limit ends. Null otherwise.
             */
            waiting_until: string | null;
            /**
             * Format: date-time
             * @description Next run. Null without a schedule or when inactive.
             */
            next_run_at: string | null;
            /** @description Start of the last run. Null before the first. */
            last_run: components["schemas"]["Run"] | null;
            /** @description The current deployed version. Null before the first. */
            latest_version: string | null;
            /**
             * Format: date-time
             * @description When it was last seen or set. Null before the first.
             */
            latest_version_at: string | null;
            /** @description How `latest_version` was found if it isn't written next to the image. Null if it was read or set. */
            match: components["schemas"]["VersionMatch"] | null;
            labels: components["schemas"]["Labels"];
            /**
             * Format: int64
             * @description The discovery job that feeds it. Null for other jobs.
             */
            discovery_job_id: number | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description A page of scrape jobs.
         * @example {
         *       "items": [
         *         {
         *           "id": 42,
         *           "name": "web in production",
         *           "parser_type": "yq",
         *           "source": "git",
         *           "repository_url": "https://github.com/acme/deploy",
         *           "ref": "main",
         *           "target_file": "charts/web/values.yaml",
         *           "url": null,
         *           "query": null,
         *           "label": null,
         *           "series": {},
         *           "parse_expression": ".image.tag",
         *           "version_transform": "none",
         *           "credential_name": "deploy-readonly",
         *           "cron_expression": "*\/15 * * * *",
         *           "cron_timezone": "UTC",
         *           "history_limit": 100,
         *           "is_active": true,
         *           "status": "completed",
         *           "waiting_for": "time",
         *           "waiting_until": "2026-11-21T05:40:11.000Z",
         *           "next_run_at": "2026-11-21T05:40:11.000Z",
         *           "last_run": {
         *             "id": 981,
         *             "status": "succeeded",
         *             "trigger": "schedule",
         *             "created_at": "2026-11-21T05:10:00.000Z",
         *             "started_at": "2026-11-21T05:10:00.120Z",
         *             "finished_at": "2026-11-21T05:10:01.480Z",
         *             "duration_ms": 1360,
         *             "agent_id": 1,
         *             "attempt": 1,
         *             "error": null,
         *             "summary": {
         *               "not_modified": true,
         *               "requests": 1,
         *               "found": 0,
         *               "added": 0
         *             }
         *           },
         *           "latest_version": "1.11.2",
         *           "latest_version_at": "2026-11-21T05:10:00.000Z",
         *           "match": null,
         *           "labels": {},
         *           "discovery_job_id": null,
         *           "created_at": "2026-11-21T05:10:00.000Z",
         *           "updated_at": "2026-11-21T05:10:00.000Z",
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListScrapeJobsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["ScrapeJob"][];
            /** @description Total number of items, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description How the deployed version is found: `yq` a path in YAML or JSON, `jq` dotted keys in JSON, `regex` an RE2 pattern over the whole file, `manual` entered manually or by CI.
         * @example yq
         * @enum {string}
         */
        ParserType: "yq" | "jq" | "regex" | "manual";
        /**
         * @description A new scrape job. Source `git` requires `repository_url`, `target_file`, and `parse_expression`, and `ref` defaults to `HEAD`. Source `http` requires `url` and `parse_expression`. Source `prometheus` requires `url`, `query`, and `label`, and `parser_type` is `regex`. If `parser_type` is `manual`, all of them, `credential_name`, and `cron_expression` must be omitted or null.
         * @example {
         *       "name": "web in production",
         *       "parser_type": "yq",
         *       "repository_url": "https://github.com/acme/deploy",
         *       "ref": "main",
         *       "target_file": "charts/web/values.yaml",
         *       "parse_expression": ".image.tag",
         *       "cron_expression": "*\/15 * * * *"
         *     }
         * @example {
         *       "name": "api in production",
         *       "parser_type": "regex",
         *       "source": "prometheus",
         *       "url": "https://prometheus.example.org",
         *       "query": "api_build_info",
         *       "label": "version",
         *       "series": {
         *         "namespace": "shop"
         *       },
         *       "cron_expression": "*\/15 * * * *"
         *     }
         */
        CreateScrapeJobRequest: {
            name: components["schemas"]["Name"];
            parser_type: components["schemas"]["ParserType"];
            /** @default git */
            source?: components["schemas"]["ScrapeSource"];
            /**
             * @description Git repository: `https://` or `ssh://` (or `git@host:path`), without user information and not starting with `-`. Null for manual jobs and sources other than `git`.
             * @default null
             */
            repository_url?: string | null;
            /** @description Branch, tag, commit, or `HEAD`, not starting with `-`. Null for manual jobs and sources other than `git`. */
            ref?: string | null;
            /**
             * @description Path of the file, relative to the repository root. Null for manual jobs and sources other than `git`.
             * @default null
             */
            target_file?: string | null;
            /**
             * @description For source `http`: the `https://` URL to read. For source `prometheus`: the URL of the server, without `/api/v1/query`. Null for source `git`.
             * @default null
             */
            url?: string | null;
            /**
             * @description For source `prometheus`, the PromQL query, evaluated as an instant query. Otherwise null.
             * @default null
             */
            query?: string | null;
            /**
             * @description For source `prometheus`, the label whose value is the version. Otherwise null.
             * @default null
             */
            label?: string | null;
            /** @default {} */
            series?: components["schemas"]["SeriesLabels"];
            /**
             * @description The path or pattern that locates the version, depending on `parser_type`. Null for manual jobs and, if the whole label is the version, for source `prometheus`.
             * @default null
             */
            parse_expression?: string | null;
            /** @default none */
            version_transform?: components["schemas"]["VersionTransform"];
            /**
             * @description Name of a credential in an agent's configuration. Null: none.
             * @default null
             */
            credential_name?: string | null;
            /**
             * @description Five-field cron expression or a shortcut such as `@daily`. Null: no schedule; the job runs when created, reconfigured, or triggered manually.
             * @default null
             */
            cron_expression?: string | null;
            /** @default UTC */
            cron_timezone?: components["schemas"]["CronTimezone"];
            /**
             * @description Number of versions to keep. Unchanged ones are deleted first; the newest is always kept.
             * @default 100
             */
            history_limit?: number;
            /** @default {} */
            labels?: components["schemas"]["Labels"];
            /**
             * @description Whether it runs on its schedule.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description Changes to a scrape job. At least one field is required; omitted fields keep their values. `parser_type` can't change to or from `manual` or `discovered`. A changed `version_transform` applies to the newest raw version immediately: it is recorded as a new version, and everything that uses the job is evaluated. Returns 400 if the transform leaves no version.
         * @example {
         *       "target_file": "charts/web/values-production.yaml"
         *     }
         */
        UpdateScrapeJobRequest: {
            name?: components["schemas"]["Name"];
            parser_type?: components["schemas"]["ScrapeJobParserType"];
            source?: components["schemas"]["ScrapeSource"];
            /** @description Git repository: `https://` or `ssh://` (or `git@host:path`), without user information and not starting with `-`. Null for manual jobs and sources other than `git`. */
            repository_url?: string | null;
            /** @description Branch, tag, commit, or `HEAD`, not starting with `-`. Null for manual jobs and sources other than `git`. */
            ref?: string | null;
            /** @description Path of the file, relative to the repository root. Null for manual jobs and sources other than `git`. */
            target_file?: string | null;
            /** @description For source `http`: the `https://` URL to read. For source `prometheus`: the URL of the server, without `/api/v1/query`. Null for source `git`. */
            url?: string | null;
            /** @description For source `prometheus`, the PromQL query, evaluated as an instant query. Otherwise null. */
            query?: string | null;
            /** @description For source `prometheus`, the label whose value is the version. Otherwise null. */
            label?: string | null;
            series?: components["schemas"]["SeriesLabels"];
            /** @description The path or pattern that locates the version, depending on `parser_type`. Null for manual jobs and, if the whole label is the version, for source `prometheus`. */
            parse_expression?: string | null;
            version_transform?: components["schemas"]["VersionTransform"];
            /** @description Name of a credential in an agent's configuration. Null: none. */
            credential_name?: string | null;
            /** @description Five-field cron expression or a shortcut such as `@daily`. Null: no schedule; the job runs when created, reconfigured, or triggered manually. */
            cron_expression?: string | null;
            cron_timezone?: components["schemas"]["CronTimezone"];
            /** @description Number of versions to keep. Unchanged ones are deleted first; the newest is always kept. */
            history_limit?: number;
            labels?: components["schemas"]["Labels"];
            /** @description Whether it runs on its schedule. */
            is_active?: boolean;
        };
        /**
         * @description Whether an agent found the version, or it was set manually or by CI.
         * @example agent
         * @enum {string}
         */
        VersionSource: "agent" | "manual";
        /**
         * @description A snapshot of a deployed version. Every successful run and every manually set version creates one.
         * @example {
         *       "id": 42,
         *       "scrape_job_id": 7,
         *       "scrape_job_name": "web in production",
         *       "version": "v1.11.3",
         *       "raw_version": "1.11.3",
         *       "version_transform": "add_v_lower",
         *       "source": "agent",
         *       "commit_sha": "9fceb02d0ae598e95dc970b74767f19372d61af8",
         *       "match": null,
         *       "is_change": true,
         *       "warning": null,
         *       "discovered_at": "2026-11-21T05:10:00.000Z",
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z"
         *     }
         */
        Version: {
            /**
             * Format: int64
             * @description ID of the snapshot.
             */
            id: number;
            /**
             * Format: int64
             * @description The scrape job that it belongs to.
             */
            scrape_job_id: number;
            /** @description Its name. */
            scrape_job_name: string;
            /** @description The version after the transform. */
            version: string;
            /** @description The version as found or entered. */
            raw_version: string;
            version_transform: components["schemas"]["VersionTransform"];
            source: components["schemas"]["VersionSource"];
            /** @description The commit that contains it. Null when set manually. */
            commit_sha: string | null;
            /** @description How it was found if it isn't written next to the image. Null if it was read or set. */
            match: components["schemas"]["VersionMatch"] | null;
            /** @description Whether it differs from the previous snapshot. True for the first. */
            is_change: boolean;
            /** @description Why no release can be compared with it, for example because it is `latest`, and what to do. Null if it can be compared. */
            warning: string | null;
            /**
             * Format: date-time
             * @description When it was found or set.
             */
            discovered_at: string;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
        };
        /**
         * @description A page of versions, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 42,
         *           "scrape_job_id": 7,
         *           "scrape_job_name": "web in production",
         *           "version": "v1.11.3",
         *           "raw_version": "1.11.3",
         *           "version_transform": "add_v_lower",
         *           "source": "agent",
         *           "commit_sha": "9fceb02d0ae598e95dc970b74767f19372d61af8",
         *           "match": null,
         *           "is_change": true,
         *           "warning": null,
         *           "discovered_at": "2026-11-21T05:10:00.000Z",
         *           "created_at": "2026-11-21T05:10:00.000Z",
         *           "updated_at": "2026-11-21T05:10:00.000Z"
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListVersionsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["Version"][];
            /** @description Total number of items, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description The current deployed version.
         * @example {
         *       "version": "1.11.3"
         *     }
         */
        SetVersionRequest: {
            /** @description The version string. Surrounding whitespace is removed before its length is checked. Control characters and characters that change the direction of text are rejected. */
            version: string;
        };
        /**
         * @description A parser and the text to parse. Nothing is stored or fetched.
         * @example {
         *       "parser_type": "yq",
         *       "parse_expression": ".image.tag",
         *       "content": "image:\n  tag: 1.11.3\n"
         *     }
         */
        PreviewScrapeJobRequest: {
            /**
             * @description The parser. `manual` can't be previewed.
             * @enum {string}
             */
            parser_type: "yq" | "jq" | "regex";
            /** @description A path or a pattern, by `parser_type`. */
            parse_expression: string;
            /** @default none */
            version_transform?: components["schemas"]["VersionTransform"];
            /** @description The text of the file. */
            content: string;
        };
        /**
         * @description Why a parser found no version.
         * @example {
         *       "code": "not_found",
         *       "message": ".image is a list and has no key \"tag\""
         *     }
         */
        PreviewError: {
            /** @description Where parsing failed: `expression`, `content`, `match`, `version`, or `transform`; or `not_found`, when the path of the expression leads to no version. */
            code: string;
            /** @description The error message, for people. */
            message: string;
        };
        /**
         * @description The parser's result, or a detailed error.
         * @example {
         *       "found": true,
         *       "raw_version": "1.11.3",
         *       "version": "1.11.3",
         *       "error": null
         *     }
         */
        PreviewScrapeJobResponse: {
            /** @description Whether a version was found. */
            found: boolean;
            /** @description The version in the text. Null when none was found. */
            raw_version: string | null;
            /** @description The version after the transform. Null when none was found. */
            version: string | null;
            /** @description The error. Null on success. */
            error: components["schemas"]["PreviewError"] | null;
        };
        /**
         * @description What a scrape job with source `http` or `prometheus` would read. The fields are those of a scrape job.
         * @example {
         *       "source": "prometheus",
         *       "url": "https://prometheus.example.org",
         *       "query": "api_build_info",
         *       "label": "version"
         *     }
         */
        PreviewScrapeSourceRequest: {
            /**
             * @description Where the version is.
             * @enum {string}
             */
            source: "http" | "prometheus";
            /** @description The URL to read, or of the Prometheus server. */
            url: string;
            /**
             * @description The PromQL query. Required for `prometheus`.
             * @default null
             */
            query?: string | null;
            /**
             * @description The label whose value is the version. Required for `prometheus`.
             * @default null
             */
            label?: string | null;
            /** @default {} */
            series?: components["schemas"]["SeriesLabels"];
            /**
             * @description The parser. Only `regex` for `prometheus`.
             * @default regex
             * @enum {string}
             */
            parser_type?: "yq" | "jq" | "regex";
            /**
             * @description A path or a pattern, by `parser_type`. Required for `http`.
             * @default null
             */
            parse_expression?: string | null;
            /** @default none */
            version_transform?: components["schemas"]["VersionTransform"];
        };
        /**
         * @description The version that was found, or a detailed error; for Prometheus also what the query returned.
         * @example {
         *       "found": false,
         *       "raw_version": null,
         *       "version": null,
         *       "error": {
         *         "code": "parse_failed",
         *         "message": "2 series have 2 different versions: \"1.4.0\" in 1, \"1.5.0\" in 1. Narrow the query, or choose one with series (labels that differ: namespace)"
         *       },
         *       "series": [
         *         {
         *           "__name__": "api_build_info",
         *           "namespace": "shop",
         *           "version": "1.5.0"
         *         },
         *         {
         *           "__name__": "api_build_info",
         *           "namespace": "staging",
         *           "version": "1.4.0"
         *         }
         *       ],
         *       "series_count": 2
         *     }
         */
        PreviewScrapeSourceResponse: {
            /** @description Whether a version was found. */
            found: boolean;
            /** @description The version before the transform. Null when none was found. */
            raw_version: string | null;
            /** @description The version after the transform. Null when none was found. */
            version: string | null;
            /** @description The error. Null on success. */
            error: components["schemas"]["PreviewSourceError"] | null;
            /** @description The labels of the first 1,000 series that the query returned. Empty for `http`. */
            series: {
                [key: string]: string;
            }[];
            /** @description How many series the query returned. */
            series_count: number;
        };
        /**
         * @description A tracked Helm repository, its state, and the number of charts.
         * @example {
         *       "id": 42,
         *       "name": "ingress-nginx charts",
         *       "repository_url": "https://kubernetes.github.io/ingress-nginx",
         *       "chart_filter": [
         *         "ingress-*"
         *       ],
         *       "create_gather_jobs": true,
         *       "cron_expression": "0 * * * *",
         *       "cron_timezone": "UTC",
         *       "credential_name": null,
         *       "is_active": true,
         *       "scope": "organization",
         *       "status": "completed",
         *       "waiting_for": "time",
         *       "waiting_until": "2026-11-21T05:40:11.000Z",
         *       "managed_by": null,
         *       "next_run_at": "2026-11-21T05:40:11.000Z",
         *       "last_run": {
         *         "id": 981,
         *         "status": "succeeded",
         *         "trigger": "schedule",
         *         "created_at": "2026-11-21T05:10:00.000Z",
         *         "started_at": "2026-11-21T05:10:00.120Z",
         *         "finished_at": "2026-11-21T05:10:01.480Z",
         *         "duration_ms": 1360,
         *         "agent_id": 1,
         *         "attempt": 1,
         *         "error": null,
         *         "summary": {
         *           "not_modified": true,
         *           "requests": 1,
         *           "found": 0,
         *           "added": 0
         *         }
         *       },
         *       "chart_count": 1,
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z",
         *       "revision": 3
         *     }
         */
        HelmSyncJob: {
            /**
             * Format: int64
             * @description ID of the helm sync job.
             */
            id: number;
            name: components["schemas"]["Name"];
            /** @description URL of the Helm repository, without `/index.yaml` and without user information. */
            repository_url: string;
            /** @description Chart name globs: `*` matches any characters and `?` matches one. Charts that match any glob are read. Empty: all charts. */
            chart_filter: string[];
            /** @description Whether to create a gather job for each chart, managed by this sync. */
            create_gather_jobs: boolean;
            /** @description Five-field cron expression or a shortcut such as `@daily`. Null: no schedule; the job runs when created, reconfigured, or triggered manually. */
            cron_expression: string | null;
            cron_timezone: components["schemas"]["CronTimezone"];
            /** @description Name of a credential in an agent's configuration. Null: none. */
            credential_name: string | null;
            /** @description Whether it runs on its schedule. */
            is_active: boolean;
            scope: components["schemas"]["Scope"];
            status: components["schemas"]["JobStatus"];
            /** @description Why it is waiting. Null while it runs or when nothing is scheduled. */
            waiting_for: components["schemas"]["JobWaitingFor"] | null;
            /**
             * Format: date-time
             * @description End of the wait if `waiting_for` is `time` or `host_limit`: when the delay after a failure or the rate limit ends. Null otherwise.
             */
            waiting_until: string | null;
            /** @description The discovery job that created the helm sync job for a discovered item. Null if no discovery job created it. */
            managed_by: components["schemas"]["NamedReference"] | null;
            /**
             * Format: date-time
             * @description Next run. Null without a schedule or when inactive.
             */
            next_run_at: string | null;
            /** @description Start of the last run. Null before the first. */
            last_run: components["schemas"]["Run"] | null;
            /** @description Number of charts found. */
            chart_count: number;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description A page of helm sync jobs.
         * @example {
         *       "items": [
         *         {
         *           "id": 42,
         *           "name": "ingress-nginx charts",
         *           "repository_url": "https://kubernetes.github.io/ingress-nginx",
         *           "chart_filter": [
         *             "ingress-*"
         *           ],
         *           "create_gather_jobs": true,
         *           "cron_expression": "0 * * * *",
         *           "cron_timezone": "UTC",
         *           "credential_name": null,
         *           "is_active": true,
         *           "scope": "organization",
         *           "status": "completed",
         *           "waiting_for": "time",
         *           "waiting_until": "2026-11-21T05:40:11.000Z",
         *           "next_run_at": "2026-11-21T05:40:11.000Z",
         *           "last_run": {
         *             "id": 981,
         *             "status": "succeeded",
         *             "trigger": "schedule",
         *             "created_at": "2026-11-21T05:10:00.000Z",
         *             "started_at": "2026-11-21T05:10:00.120Z",
         *             "finished_at": "2026-11-21T05:10:01.480Z",
         *             "duration_ms": 1360,
         *             "agent_id": 1,
         *             "attempt": 1,
         *             "error": null,
         *             "summary": {
         *               "not_modified": true,
         *               "requests": 1,
         *               "found": 0,
         *               "added": 0
         *             }
         *           },
         *           "chart_count": 1,
         *           "created_at": "2026-11-21T05:10:00.000Z",
         *           "updated_at": "2026-11-21T05:10:00.000Z",
         *           "managed_by": null,
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListHelmSyncJobsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["HelmSyncJob"][];
            /** @description Total number of items, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description A new helm sync job. If active, it runs immediately after creation.
         * @example {
         *       "name": "ingress-nginx charts",
         *       "repository_url": "https://kubernetes.github.io/ingress-nginx",
         *       "chart_filter": [
         *         "ingress-*"
         *       ],
         *       "cron_expression": "0 * * * *"
         *     }
         */
        CreateHelmSyncJobRequest: {
            name: components["schemas"]["Name"];
            /** @description URL of the Helm repository, without `/index.yaml` and without user information. */
            repository_url: string;
            /**
             * @description Chart name globs: `*` matches any characters and `?` matches one. Charts that match any glob are read. Empty: all charts.
             * @default []
             */
            chart_filter?: string[];
            /**
             * @description Whether to create a gather job for each chart, managed by this sync.
             * @default true
             */
            create_gather_jobs?: boolean;
            /**
             * @description Five-field cron expression or a shortcut such as `@daily`. Null: no schedule; the job runs when created, reconfigured, or triggered manually.
             * @default null
             */
            cron_expression?: string | null;
            /** @default UTC */
            cron_timezone?: components["schemas"]["CronTimezone"];
            /**
             * @description Name of a credential in an agent's configuration. Null: none.
             * @default null
             */
            credential_name?: string | null;
            /**
             * @description Whether it runs on its schedule.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description Changes to a helm sync job. At least one field is required; omitted fields keep their values.
         * @example {
         *       "chart_filter": []
         *     }
         */
        UpdateHelmSyncJobRequest: {
            name?: components["schemas"]["Name"];
            /** @description URL of the Helm repository, without `/index.yaml` and without user information. */
            repository_url?: string;
            /** @description Chart name globs: `*` matches any characters and `?` matches one. Charts that match any glob are read. Empty: all charts. */
            chart_filter?: string[];
            /** @description Whether to create a gather job for each chart, managed by this sync. */
            create_gather_jobs?: boolean;
            /** @description Five-field cron expression or a shortcut such as `@daily`. Null: no schedule; the job runs when created, reconfigured, or triggered manually. */
            cron_expression?: string | null;
            cron_timezone?: components["schemas"]["CronTimezone"];
            /** @description Name of a credential in an agent's configuration. Null: none. */
            credential_name?: string | null;
            /** @description Whether it runs on its schedule. */
            is_active?: boolean;
        };
        /**
         * @description A chart of a Helm repository.
         * @example {
         *       "name": "ingress-nginx",
         *       "latest_version": "4.11.3",
         *       "app_version": "1.11.3",
         *       "description": "Ingress controller that uses NGINX",
         *       "deprecated": false,
         *       "version_count": 96,
         *       "gather_job_id": 42,
         *       "last_seen_at": "2026-11-21T05:10:00.000Z"
         *     }
         */
        HelmChart: {
            /** @description Name of the chart. */
            name: string;
            /** @description The highest stable chart version, else the highest. */
            latest_version: string;
            /** @description The application version of that chart version. Null when the chart has none. */
            app_version: string | null;
            /** @description The chart's description. */
            description: string | null;
            /** @description Whether the chart is deprecated. */
            deprecated: boolean;
            /** @description Number of distinct versions in the repository. */
            version_count: number;
            /**
             * Format: int64
             * @description The gather job that tracks this chart. Null when there is none.
             */
            gather_job_id: number | null;
            /**
             * Format: date-time
             * @description When the repository last listed it.
             */
            last_seen_at: string;
        };
        /**
         * @description A page of charts, by name.
         * @example {
         *       "items": [
         *         {
         *           "name": "ingress-nginx",
         *           "latest_version": "4.11.3",
         *           "app_version": "1.11.3",
         *           "description": "Ingress controller that uses NGINX",
         *           "deprecated": false,
         *           "version_count": 96,
         *           "gather_job_id": 42,
         *           "last_seen_at": "2026-11-21T05:10:00.000Z"
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListHelmChartsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["HelmChart"][];
            /** @description Total number of items, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description Digest of a manifest in a registry. For an image with several platforms, the digest of its index.
         * @example sha256:2b8f4cc1d5a1d04cd4e3a1d1b7a0b6b1b1f3a7e6f2d6b0f5a8f1c9d3e7b4a6c5
         */
        Digest: string;
        /**
         * @description An upstream release.
         * @example {
         *       "id": 42,
         *       "gather_job_id": 7,
         *       "artifact_name": "github.com/kubernetes/ingress-nginx",
         *       "source_type": "github_releases",
         *       "version": "1.11.3",
         *       "tag": "controller-v1.11.3",
         *       "app_version": null,
         *       "released_at": "2026-11-21T05:10:00.000Z",
         *       "is_prerelease": false,
         *       "is_yanked": false,
         *       "is_withdrawn": false,
         *       "url": "https://github.com/kubernetes/ingress-nginx/releases/tag/controller-v1.11.3",
         *       "digest": null,
         *       "discovered_at": "2026-11-21T05:10:00.000Z",
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z"
         *     }
         */
        Release: {
            /**
             * Format: int64
             * @description ID of the release.
             */
            id: number;
            /**
             * Format: int64
             * @description The gather job that found it.
             */
            gather_job_id: number;
            /** @description The artifact of that job. */
            artifact_name: string;
            source_type: components["schemas"]["ReleaseSourceType"];
            /** @description The version: the tag, or the part that `version_pattern` extracts. */
            version: string;
            /** @description The tag in the source. */
            tag: string;
            /** @description Charts: the version of the packaged application. */
            app_version: string | null;
            /**
             * Format: date-time
             * @description Release date reported by the source. Null when unknown.
             */
            released_at: string | null;
            /** @description Whether the source or the version indicates a pre-release. */
            is_prerelease: boolean;
            /** @description Whether the source marks it as withdrawn. */
            is_yanked: boolean;
            /** @description Whether the source no longer lists it. */
            is_withdrawn: boolean;
            /** @description URL of the release, `http` or `https`. */
            url: string | null;
            /** @description Digest of the tag in a container registry. Null when unknown. */
            digest: components["schemas"]["Digest"] | null;
            /**
             * Format: date-time
             * @description When it was first seen.
             */
            discovered_at: string;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
        };
        /**
         * @description A page of releases.
         * @example {
         *       "items": [
         *         {
         *           "id": 42,
         *           "gather_job_id": 7,
         *           "artifact_name": "github.com/kubernetes/ingress-nginx",
         *           "source_type": "github_releases",
         *           "version": "1.11.3",
         *           "tag": "controller-v1.11.3",
         *           "app_version": null,
         *           "released_at": "2026-11-21T05:10:00.000Z",
         *           "is_prerelease": false,
         *           "is_yanked": false,
         *           "is_withdrawn": false,
         *           "url": "https://github.com/kubernetes/ingress-nginx/releases/tag/controller-v1.11.3",
         *           "digest": null,
         *           "discovered_at": "2026-11-21T05:10:00.000Z",
         *           "created_at": "2026-11-21T05:10:00.000Z",
         *           "updated_at": "2026-11-21T05:10:00.000Z"
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListReleasesResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["Release"][];
            /** @description Total number of items, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description An upstream release with its notes.
         * @example {
         *       "id": 42,
         *       "gather_job_id": 7,
         *       "artifact_name": "github.com/kubernetes/ingress-nginx",
         *       "source_type": "github_releases",
         *       "version": "1.11.3",
         *       "tag": "controller-v1.11.3",
         *       "app_version": null,
         *       "released_at": "2026-11-21T05:10:00.000Z",
         *       "is_prerelease": false,
         *       "is_yanked": false,
         *       "is_withdrawn": false,
         *       "url": "https://github.com/kubernetes/ingress-nginx/releases/tag/controller-v1.11.3",
         *       "digest": null,
         *       "discovered_at": "2026-11-21T05:10:00.000Z",
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z",
         *       "notes": "Fixes a crash on start."
         *     }
         */
        ReleaseDetail: {
            /**
             * Format: int64
             * @description ID of the release.
             */
            id: number;
            /**
             * Format: int64
             * @description The gather job that found it.
             */
            gather_job_id: number;
            /** @description The artifact of that job. */
            artifact_name: string;
            source_type: components["schemas"]["ReleaseSourceType"];
            /** @description The version: the tag, or the part that `version_pattern` extracts. */
            version: string;
            /** @description The tag in the source. */
            tag: string;
            /** @description Charts: the version of the packaged application. */
            app_version: string | null;
            /**
             * Format: date-time
             * @description Release date reported by the source. Null when unknown.
             */
            released_at: string | null;
            /** @description Whether the source or the version indicates a pre-release. */
            is_prerelease: boolean;
            /** @description Whether the source marks it as withdrawn. */
            is_yanked: boolean;
            /** @description Whether the source no longer lists it. */
            is_withdrawn: boolean;
            /** @description URL of the release, `http` or `https`. */
            url: string | null;
            /** @description Digest of the tag in a container registry. Null when unknown. */
            digest: components["schemas"]["Digest"] | null;
            /**
             * Format: date-time
             * @description When it was first seen.
             */
            discovered_at: string;
            /** @description Release notes from the source, or from the changelog of the repository if the source has none. Plain text or Markdown. Null when there are none. */
            notes: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
        };
        /**
         * @description A summary of a gather job's releases.
         * @example {
         *       "gather_job_id": 7,
         *       "artifact_name": "github.com/kubernetes/ingress-nginx",
         *       "scope": "organization",
         *       "release_count": 120,
         *       "stable_count": 96,
         *       "latest_version": "1.12.0-beta.0",
         *       "latest_stable_version": "1.11.3",
         *       "latest_released_at": "2026-11-21T05:10:00.000Z",
         *       "first_released_at": "2021-08-24T09:12:00.000Z"
         *     }
         */
        ReleaseSummary: {
            /**
             * Format: int64
             * @description The gather job.
             */
            gather_job_id: number;
            /** @description Its artifact. */
            artifact_name: string;
            scope: components["schemas"]["Scope"];
            /** @description Number of stored releases. */
            release_count: number;
            /** @description Number of stable releases. */
            stable_count: number;
            /** @description The highest version by precedence among releases of the common form (no suffix, most frequent prefix), or among all if there are none. Null without releases. */
            latest_version: string | null;
            /** @description The highest stable version by precedence. Null when there is none. */
            latest_stable_version: string | null;
            /**
             * Format: date-time
             * @description Release date of `latest_version`. Null when unknown.
             */
            latest_released_at: string | null;
            /**
             * Format: date-time
             * @description The earliest known release date. Null when unknown.
             */
            first_released_at: string | null;
        };
        /**
         * @description A page of release summaries.
         * @example {
         *       "items": [
         *         {
         *           "gather_job_id": 7,
         *           "artifact_name": "github.com/kubernetes/ingress-nginx",
         *           "scope": "organization",
         *           "release_count": 120,
         *           "stable_count": 96,
         *           "latest_version": "1.12.0-beta.0",
         *           "latest_stable_version": "1.11.3",
         *           "latest_released_at": "2026-11-21T05:10:00.000Z",
         *           "first_released_at": "2021-08-24T09:12:00.000Z"
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListReleaseSummariesResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["ReleaseSummary"][];
            /** @description Total number of items, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description A setting and its value: the global value or the organization's override.
         * @example {
         *       "key": "delivery.timeout_seconds",
         *       "value": 15,
         *       "default_value": 15,
         *       "scope": "global",
         *       "is_overridable": true,
         *       "value_schema": {
         *         "type": "integer",
         *         "minimum": 1,
         *         "maximum": 30
         *       },
         *       "description": "Total timeout for a webhook request, in seconds.",
         *       "revision": 0
         *     }
         */
        Setting: {
            /** @description The key. */
            key: string;
            /** @description The value, in the format of `value_schema`. */
            value: unknown;
            /** @description The value without an override. */
            default_value: unknown;
            /** @description Origin of `value`: `global`, or `organization` for an override. */
            scope: components["schemas"]["Scope"];
            /** @description False if only the operator can change the setting (`pacekeeper admin set-setting`). */
            is_overridable: boolean;
            /** @description JSON Schema of the value. */
            value_schema: {
                [key: string]: unknown;
            };
            /** @description Description of the setting, with its unit. */
            description: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description The requested settings.
         * @example {
         *       "items": [
         *         {
         *           "key": "delivery.timeout_seconds",
         *           "revision": 1,
         *           "value": 20,
         *           "default_value": 15,
         *           "scope": "organization",
         *           "is_overridable": true,
         *           "value_schema": {
         *             "type": "integer",
         *             "minimum": 1,
         *             "maximum": 30
         *           },
         *           "description": "Total timeout for a webhook request, in seconds."
         *         }
         *       ]
         *     }
         */
        ListSettingsResponse: {
            /** @description The requested settings. */
            items: components["schemas"]["Setting"][];
        };
        /**
         * @description `online` if a heartbeat arrived in the last 60 seconds.
         * @example online
         * @enum {string}
         */
        AgentStatus: "online" | "offline";
        /**
         * @description Whether the agent is embedded in the server or runs remotely.
         * @example embedded
         * @enum {string}
         */
        AgentKind: "embedded" | "remote";
        /**
         * @description The job kind of a task.
         * @example gather
         * @enum {string}
         */
        TaskKind: "gather" | "scrape" | "helm_sync" | "discovery";
        /**
         * @description A task that an agent is running.
         * @example {
         *       "task_id": 981,
         *       "kind": "gather",
         *       "job_id": 42,
         *       "job_name": "ingress-nginx releases",
         *       "started_at": "2026-11-21T05:10:00.000Z"
         *     }
         */
        RunningTask: {
            /**
             * Format: int64
             * @description ID of the task, which is the run ID.
             */
            task_id: number;
            kind: components["schemas"]["TaskKind"];
            /**
             * Format: int64
             * @description The job of the run.
             */
            job_id: number;
            /** @description Its name. */
            job_name: string;
            /**
             * Format: date-time
             * @description When the agent claimed it.
             */
            started_at: string;
        };
        /**
         * @description A process that runs gather, scrape, and sync tasks for the organization. For the embedded agent, each organization sees only its own tasks and credential names.
         * @example {
         *       "id": 1,
         *       "name": "embedded",
         *       "kind": "embedded",
         *       "hostname": "pacekeeper-0",
         *       "version": "0.1.0",
         *       "capabilities": [
         *         "gather:github_releases",
         *         "scrape",
         *         "helm_sync"
         *       ],
         *       "credential_names": [
         *         "github-readonly"
         *       ],
         *       "status": "online",
         *       "last_heartbeat_at": "2026-11-21T05:10:00.000Z",
         *       "running": [
         *         {
         *           "task_id": 981,
         *           "kind": "gather",
         *           "job_id": 42,
         *           "job_name": "ingress-nginx releases",
         *           "started_at": "2026-11-21T05:10:00.000Z"
         *         }
         *       ],
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z"
         *     }
         */
        Agent: {
            /**
             * Format: int64
             * @description ID of the agent.
             */
            id: number;
            /** @description Its name, unique within the organization. */
            name: string;
            kind: components["schemas"]["AgentKind"];
            /** @description The host it runs on. */
            hostname: string;
            /** @description Its Pacekeeper version. */
            version: string;
            /** @description Its capabilities: task kinds, and for `gather` the source type. */
            capabilities: string[];
            /** @description Names of the credentials it has. */
            credential_names: string[];
            status: components["schemas"]["AgentStatus"];
            /**
             * Format: date-time
             * @description Time of the last heartbeat.
             */
            last_heartbeat_at: string;
            /** @description Tasks currently running for this organization. */
            running: components["schemas"]["RunningTask"][];
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
        };
        /**
         * @description A page of agents.
         * @example {
         *       "items": [
         *         {
         *           "id": 1,
         *           "name": "embedded",
         *           "kind": "embedded",
         *           "hostname": "pacekeeper-0",
         *           "version": "0.1.0",
         *           "capabilities": [
         *             "gather:github_releases",
         *             "scrape",
         *             "helm_sync"
         *           ],
         *           "credential_names": [
         *             "github-readonly"
         *           ],
         *           "status": "online",
         *           "last_heartbeat_at": "2026-11-21T05:10:00.000Z",
         *           "running": [
         *             {
         *               "task_id": 981,
         *               "kind": "gather",
         *               "job_id": 42,
         *               "job_name": "ingress-nginx releases",
         *               "started_at": "2026-11-21T05:10:00.000Z"
         *             }
         *           ],
         *           "created_at": "2026-11-21T05:10:00.000Z",
         *           "updated_at": "2026-11-21T05:10:00.000Z"
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListAgentsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["Agent"][];
            /** @description Total number of items, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description A pattern to compile, and optionally a text to test it with.
         * @example {
         *       "pattern": "version:\\s*(\\S+)",
         *       "sample": "version: 1.11.3"
         *     }
         */
        ValidateRegexRequest: {
            /** @description Regular expression in RE2 syntax. */
            pattern: string;
            /** @description Text to test the pattern with. Without it, the pattern is only compiled. */
            sample?: string;
        };
        /**
         * @description Whether a pattern compiles, and what it matches in the sample.
         * @example {
         *       "valid": true,
         *       "error": null,
         *       "group_count": 1,
         *       "match": "1.11.3",
         *       "groups": [
         *         "1.11.3"
         *       ]
         *     }
         */
        ValidateRegexResponse: {
            /** @description Whether the pattern compiles. */
            valid: boolean;
            /** @description Why it doesn't compile. Null if it does. */
            error: string | null;
            /** @description Number of capture groups. 0 if it doesn't compile. */
            group_count: number;
            /** @description The match in the sample: the first capture group, or the match. Null without a sample or a match. */
            match: string | null;
            /** @description The first 20 capture groups, each limited to 1,000 characters. Null for a group that didn't match. Null without a sample or a match. */
            groups: (string | null)[] | null;
        };
        /**
         * @description The kind of file or object that a version was found in.
         * @example flux
         * @enum {string}
         */
        ExtractorName: "argocd" | "flux" | "helm_chart" | "helm_values" | "helm_release" | "helmfile" | "kustomize" | "kubernetes" | "dockerfile" | "compose" | "docker" | "terraform" | "terragrunt" | "cloudformation" | "nomad" | "quadlet" | "ansible" | "annotated" | "github_actions" | "gitlab_ci" | "ci_pipelines" | "pre_commit" | "tool_versions" | "custom";
        /**
         * @description What a kind of file describes. `deployed`: deployed software. `build`: how software is built, such as Dockerfiles. `ci`: how it's tested, such as workflows.
         * @example deployed
         * @enum {string}
         */
        DiscoveryRole: "deployed" | "build" | "ci";
        /**
         * @description Which discovered items to accept, by ID or by filter, and the rule and labels of their alert configurations. Specify either `item_ids` or `filter`.
         * @example {
         *       "filter": {
         *         "discovery_job_id": 7
         *       },
         *       "rule_id": 4,
         *       "labels": {
         *         "team": "platform"
         *       },
         *       "dry_run": false
         *     }
         */
        AcceptDiscoveredItemsRequest: {
            /** @description IDs of the items. */
            item_ids?: number[];
            /** @description New items that match all given fields and can be accepted, at most 1,000 per request, in ascending ID order. An empty object selects all. */
            filter?: {
                /**
                 * Format: int64
                 * @description ID of the discovery job.
                 */
                discovery_job_id?: number;
                /**
                 * Format: int64
                 * @description ID of a repository group, for the items in its repositories.
                 */
                group_job_id?: number;
                extractor?: components["schemas"]["ExtractorName"];
                /** @description The artifact, as in `artifact.key` of an item. */
                artifact?: string;
                /** @description The environment label. */
                environment?: string;
                /**
                 * Format: int64
                 * @description Only items with a higher ID. To continue, use the last `item_id` in the `items` of the previous response. Otherwise, items that couldn't be accepted are selected again.
                 */
                after_id?: number;
                /** @description Part of the artifact, path, or name, as in the list of items. */
                q?: string;
                /** @description Only items with these roles. If omitted, the `accept_roles` of each discovery job apply. */
                roles?: components["schemas"]["DiscoveryRole"][];
            };
            /**
             * Format: int64
             * @description The monitoring rule of the alert configurations. Null: none are created, now or later (`not_monitored`). If omitted, the default rule of the discovery job applies, even after it changes.
             */
            rule_id?: number | null;
            /**
             * @description Labels for all items. Labels that were set on an item override them.
             * @default {}
             */
            labels?: components["schemas"]["Labels"];
            /**
             * @description Only report what would be created.
             * @default false
             */
            dry_run?: boolean;
        };
        /**
         * @description Where a label comes from. `path`: guessed from a directory or a file name. `name`: guessed from the name of the object, cluster, or host. `chart`: the name of the chart next to the file. `artifact`: the name of the artifact. `rule`: a label rule. `given`: the cluster or host of the discovery job. `code_owners`: the file `CODEOWNERS`. `pattern`: a custom pattern. `set`: a person.
         * @example path
         * @enum {string}
         */
        LabelSource: "path" | "name" | "chart" | "artifact" | "rule" | "given" | "code_owners" | "pattern" | "set";
        /**
         * @description A possible upstream of an item.
         * @example {
         *       "source_type": "helm_repository",
         *       "artifact_name": "charts.jetstack.io/cert-manager",
         *       "source_options": {},
         *       "confidence": "likely",
         *       "why": "lists this version"
         *     }
         */
        DiscoveryCandidate: {
            source_type: components["schemas"]["ReleaseSourceType"];
            /** @description The artifact of the gather job. */
            artifact_name: string;
            source_options: components["schemas"]["GatherSourceOptions"];
            /**
             * @description `likely` if it lists the version or if another item of the organization uses it. `none` otherwise, such as when only the chart's name matches.
             * @enum {string}
             */
            confidence: "likely" | "none";
            /** @description Why it's a candidate. */
            why: string;
        };
        /**
         * @description The upstream that the item would be compared with.
         * @example {
         *       "source_type": "helm_repository",
         *       "artifact_name": "charts.jetstack.io/cert-manager",
         *       "source_options": {},
         *       "is_confirmed": false,
         *       "confidence": "certain",
         *       "why": "the Helm repository of the chart",
         *       "candidates": []
         *     }
         */
        DiscoveryProposal: {
            /** @description The kind of source. Null without an upstream. */
            source_type: components["schemas"]["ReleaseSourceType"] | null;
            /** @description The artifact of the gather job. Null without an upstream. */
            artifact_name: string | null;
            source_options: components["schemas"]["GatherSourceOptions"];
            /** @description Whether a person chose it. */
            is_confirmed: boolean;
            /**
             * @description How certain it is. `none` without an upstream.
             * @enum {string}
             */
            confidence: "certain" | "likely" | "none";
            /** @description Where it comes from. */
            why: string | null;
            /** @description Possible repositories of the chart of a Helm release, best first. Helm doesn't record the repository, so Pacekeeper compares the chart with your other items, Helm repositories, and gather jobs. Empty if someone chose the upstream or if the source is known. */
            candidates: components["schemas"]["DiscoveryCandidate"][];
        };
        /** @description The outcome of accepting an item. */
        AcceptedItem: {
            /**
             * Format: int64
             * @description ID of the discovered item.
             */
            item_id: number;
            /**
             * @description `accepted`, also if something was added to an item that was accepted before; `already_accepted`: nothing was missing; or `rejected`, with the reason in `message`.
             * @enum {string}
             */
            outcome: "accepted" | "already_accepted" | "rejected";
            /** @description Why the item was rejected. */
            message: string | null;
            /** @description Name of the scrape job and the alert configuration. */
            name: string | null;
            /** @description Labels of the scrape job and the alert configuration. Null if this request didn't accept the item. */
            labels: components["schemas"]["Labels"] | null;
            /** @description Where each label comes from, by its key. Null if this request didn't accept the item. */
            label_sources: {
                [key: string]: components["schemas"]["LabelSource"];
            } | null;
            /** @description The item's upstream when this request accepted it. Null if this request didn't accept it. */
            proposal: components["schemas"]["DiscoveryProposal"] | null;
            /** @description The gather job that lists the releases. Null without a known upstream. */
            gather_job: {
                /**
                 * Format: int64
                 * @description ID of the gather job. Null in a dry run for one that would be created.
                 */
                id: number | null;
                /** @description Name of the gather job. */
                name: string;
                /** @description Whether it was created by this request. */
                is_new: boolean;
            } | null;
            /**
             * Format: int64
             * @description ID of the scrape job that the item feeds.
             */
            scrape_job_id: number | null;
            /**
             * Format: int64
             * @description ID of the alert configuration. Null if the item has none.
             */
            alert_config_id: number | null;
        };
        /**
         * @description The number of resources created, and the outcome for each item.
         * @example {
         *       "dry_run": false,
         *       "items": [
         *         {
         *           "item_id": 31,
         *           "outcome": "accepted",
         *           "message": null,
         *           "name": "web (prod)",
         *           "labels": {
         *             "environment": "prod",
         *             "service": "web"
         *           },
         *           "label_sources": {
         *             "environment": "path",
         *             "service": "name"
         *           },
         *           "proposal": {
         *             "source_type": "oci_registry",
         *             "artifact_name": "ghcr.io/acme/web",
         *             "source_options": {},
         *             "is_confirmed": false,
         *             "confidence": "certain",
         *             "why": "the registry of the image",
         *             "candidates": []
         *           },
         *           "gather_job": {
         *             "id": 12,
         *             "name": "ghcr.io/acme/web",
         *             "is_new": true
         *           },
         *           "scrape_job_id": 45,
         *           "alert_config_id": 90
         *         }
         *       ],
         *       "accepted_count": 1,
         *       "rejected_count": 0,
         *       "remaining_count": 0,
         *       "other_role_count": 0,
         *       "alerts": null,
         *       "typical_messages": null,
         *       "created": {
         *         "helm_sync_jobs": 0,
         *         "gather_jobs": 1,
         *         "scrape_jobs": 1,
         *         "alert_configs": 1
         *       },
         *       "hosts_without_credential": [
         *         "ghcr.io"
         *       ]
         *     }
         */
        AcceptDiscoveredItemsResponse: {
            /** @description Whether nothing was created. */
            dry_run: boolean;
            /** @description One entry per item, by ascending ID. */
            items: components["schemas"]["AcceptedItem"][];
            /** @description Items that were accepted. */
            accepted_count: number;
            /** @description Items that were rejected. */
            rejected_count: number;
            /** @description Number of items that match the filter and remain for the next request, up to 1,000. 0: all were processed. */
            remaining_count: number;
            /** @description New items that match the filter except for their role, up to 1,000, such as those of workflows and Dockerfiles. To accept them, name their roles. */
            other_role_count: number;
            /** @description In a dry run, the alerts that the new alert configurations open now. Null when items are accepted, because they are evaluated afterwards. */
            alerts: {
                /** @description Number of moderate alerts. */
                moderate: number;
                /** @description Number of high alerts. */
                high: number;
                /** @description Number of critical alerts. */
                critical: number;
                /** @description Number of alert configurations whose result isn't known yet, usually because the releases of a new gather job haven't been read. */
                unknown: number;
            } | null;
            /** @description In a dry run, the messages that the new alert configurations typically cause, in addition to those about the alerts that open now. The number is an average over the last 91 days, simulated with the dates of the stored releases and the current notification rules, as if the versions had been deployed and not upgraded. Null if no release dates are known. */
            typical_messages: {
                /** @description Messages per week in all channels. */
                per_week: number;
                /** @description Number of days that were simulated. */
                days: number;
                /** @description Number of alert configurations in the simulation. The releases of the others haven't been read, or their dates aren't known. */
                alert_configs: number;
            } | null;
            /** @description How many resources were created. */
            created: {
                /** @description Helm sync jobs. */
                helm_sync_jobs: number;
                /** @description Gather jobs. */
                gather_jobs: number;
                /** @description Scrape jobs. */
                scrape_jobs: number;
                /** @description Alert configurations. */
                alert_configs: number;
            };
            /** @description Hosts of new gather jobs for which the discovery job lists no credential. Public sources need none. */
            hosts_without_credential: string[];
        };
        /**
         * @description What a discovery job reads: `git_repository` the files of a Git repository, `kubernetes_cluster` the workloads and nodes of a cluster, `container_host` the containers of a Docker or Podman host, `repository_group` the list of repositories of an organization or group, each of which has a separate job.
         * @example git_repository
         * @enum {string}
         */
        DiscoveryKind: "git_repository" | "kubernetes_cluster" | "container_host" | "repository_group";
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
         * @description Why a repository isn't read: its `name` doesn't match the patterns, it's `archived`, a `fork`, or `empty`, or it lacks a `topic` or `language`.
         * @example archived
         * @enum {string}
         */
        RepositoryExclusion: "name" | "archived" | "fork" | "topic" | "language" | "empty";
        /**
         * @description Numbers of a group's repositories by state.
         * @example {
         *       "read": 4950,
         *       "waiting": 47,
         *       "failed": 3,
         *       "unlisted": 0,
         *       "removed": 2
         *     }
         */
        RepositoryCounts: {
            /** @description Repositories whose last scan succeeded. */
            read: number;
            /** @description Repositories whose first or next scan is waiting or running. */
            waiting: number;
            /** @description Repositories whose last scan failed. */
            failed: number;
            /** @description Repositories that the list no longer contains or the filter excludes. Their items haven't changed. */
            unlisted: number;
            /** @description Repositories whose removal a person confirmed. */
            removed: number;
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
         * @description Which new items are accepted automatically. `ask`: none. `known`: those whose upstream is certain and on a host that the organization already uses. `all`: all that can be accepted.
         * @example ask
         * @enum {string}
         */
        DiscoveryAccept: "ask" | "known" | "all";
        /**
         * @description The credential for new gather jobs that read from a host.
         * @example {
         *       "host": "ghcr.io",
         *       "credential_name": "ghcr-readonly"
         *     }
         */
        SourceCredential: {
            /** @description A host, with its port if it isn't the default one. */
            host: string;
            /** @description Name of a credential in an agent's configuration. */
            credential_name: string;
        };
        /**
         * @description The number of a job's items by status.
         * @example {
         *       "new": 12,
         *       "accepted": 240,
         *       "ignored": 3,
         *       "gone": 1,
         *       "replaced": 2,
         *       "unresolved": 4
         *     }
         */
        DiscoveredItemCounts: {
            /** @description Items that are neither accepted nor ignored. */
            new: number;
            /** @description Items that feed scrape jobs. */
            accepted: number;
            /** @description Ignored items. */
            ignored: number;
            /** @description Items that are no longer found. */
            gone: number;
            /** @description Items whose place another artifact took. */
            replaced: number;
            /** @description New items without an upstream. */
            unresolved: number;
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
         * @description Coverage of the last scan that read the repository.
         * @example {
         *       "files": 240,
         *       "silent_files": [
         *         {
         *           "kind": "jsonnet",
         *           "reason": "kind_not_read",
         *           "count": 12,
         *           "examples": [
         *             "lib/web.libsonnet"
         *           ]
         *         }
         *       ],
         *       "skipped_directories": {
         *         "count": 1,
         *         "examples": [
         *           "docs"
         *         ]
         *       },
         *       "pattern_problems": []
         *     }
         */
        DiscoveryCoverage: {
            /** @description Files of the repository. */
            files: number;
            /** @description Files that yield no versions, by kind and reason. */
            silent_files: components["schemas"]["SilentFiles"][];
            skipped_directories: components["schemas"]["SkippedDirectories"];
            /** @description Patterns that weren't used. */
            pattern_problems: components["schemas"]["PatternProblem"][];
        };
        /**
         * @description A source that is searched for deployed versions, its state, and the number of items found.
         * @example {
         *       "id": 42,
         *       "name": "Deployments",
         *       "kind": "git_repository",
         *       "repository_url": "https://github.com/acme/deploy",
         *       "ref": "HEAD",
         *       "cluster_name": null,
         *       "cluster_uid": null,
         *       "helm_secrets": false,
         *       "host_name": null,
         *       "host_uid": null,
         *       "group_url": null,
         *       "forge": null,
         *       "repository_filter": null,
         *       "group_job_id": null,
         *       "unlisted": null,
         *       "repository_counts": null,
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
         *       "accept": "ask",
         *       "accept_roles": [
         *         "deployed"
         *       ],
         *       "default_rule_id": null,
         *       "credential_name": "deploy-readonly",
         *       "source_credentials": [
         *         {
         *           "host": "ghcr.io",
         *           "credential_name": "ghcr-readonly"
         *         }
         *       ],
         *       "cron_expression": "*\/15 * * * *",
         *       "cron_timezone": "UTC",
         *       "is_active": true,
         *       "status": "completed",
         *       "waiting_for": null,
         *       "waiting_until": null,
         *       "next_run_at": "2026-11-21T05:40:11.000Z",
         *       "last_run": {
         *         "id": 981,
         *         "status": "succeeded",
         *         "trigger": "schedule",
         *         "created_at": "2026-11-21T05:10:00.000Z",
         *         "started_at": "2026-11-21T05:10:00.120Z",
         *         "finished_at": "2026-11-21T05:10:01.480Z",
         *         "duration_ms": 1360,
         *         "agent_id": 1,
         *         "attempt": 1,
         *         "error": null,
         *         "summary": {
         *           "not_modified": true,
         *           "requests": 1
         *         }
         *       },
         *       "item_counts": {
         *         "new": 12,
         *         "accepted": 240,
         *         "ignored": 3,
         *         "gone": 1,
         *         "replaced": 2,
         *         "unresolved": 4
         *       },
         *       "gone_held": null,
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z",
         *       "revision": 3
         *     }
         */
        DiscoveryJob: {
            /**
             * Format: int64
             * @description ID of the discovery job.
             */
            id: number;
            name: components["schemas"]["Name"];
            kind: components["schemas"]["DiscoveryKind"];
            /** @description Git repository: `https://` or `ssh://` (or `git@host:path`), without user information and not starting with `-`. Null for jobs that don't read one. */
            repository_url: string | null;
            /** @description Branch, tag, commit, or `HEAD`, not starting with `-`. Null without a repository. */
            ref: string | null;
            /** @description Name of the cluster, which all of its items get as the label `cluster`. Required for clusters, null otherwise. */
            cluster_name: string | null;
            /** @description Also read the secrets of Helm releases, to identify charts exactly. The agent's role must allow listing secrets; only the chart's name, version, and project URL leave the agent. */
            helm_secrets: boolean;
            /** @description The cluster that the first scan found. Scans of another one fail. Null before the first successful scan and for other kinds. */
            cluster_uid: string | null;
            /** @description Name of the container host, which all of its items get as the label `host`. Required for container hosts, null otherwise. */
            host_name: string | null;
            /** @description The container host that the first scan found: `docker:` with the ID of its engine, or `podman:` with its host name. Scans of another one fail. Null before the first successful scan and for other kinds. */
            host_uid: string | null;
            /** @description URL of the organization or group, such as `https://github.com/acme` or `https://gitlab.com/acme/platform`. Required for repository groups, null otherwise. */
            group_url: string | null;
            /** @description Software of the platform of a repository group. Null for other kinds. */
            forge: components["schemas"]["ForgeKind"] | null;
            /** @description Chooses the repositories of a group. Null for other kinds. */
            repository_filter: components["schemas"]["RepositoryFilter"] | null;
            /**
             * Format: int64
             * @description The job of the repository group that this repository is in, which sets all fields of this job. Null: none.
             */
            group_job_id: number | null;
            /** @description Set while the group's list excludes the repository: since when, why, and whether a person has confirmed the removal, which ends its items. Null otherwise. */
            unlisted: {
                /**
                 * Format: date-time
                 * @description Time of the first such list.
                 */
                since: string;
                /** @description Why the filter excludes it. Null: the list doesn't contain it. */
                excluded: components["schemas"]["RepositoryExclusion"] | null;
                /** @description Whether a person confirmed it. */
                is_confirmed: boolean;
            } | null;
            /** @description Numbers of a group's repositories by state. Null for other kinds. */
            repository_counts: components["schemas"]["RepositoryCounts"] | null;
            /** @description Only files that match one of these patterns are read. Empty: all files. For clusters, patterns match `namespace/Kind/name`; for container hosts, `project/service/name` or `container/name`. */
            include: components["schemas"]["PathPattern"][];
            /** @description Files that match one of these patterns aren't read. Directories of dependencies, test data, and examples are always skipped. */
            exclude: components["schemas"]["PathPattern"][];
            /** @description The kinds of files to read. Empty: all kinds. */
            extractors: components["schemas"]["ExtractorName"][];
            /** @description Labels from paths. They override labels that Pacekeeper guesses. */
            label_rules: components["schemas"]["LabelRule"][];
            /** @description Patterns for versions that no extractor reads. Only for repositories and groups of them. */
            custom_extractors: components["schemas"]["CustomExtractor"][];
            accept: components["schemas"]["DiscoveryAccept"];
            /** @description Roles of the items that are accepted automatically, and by filters without `roles`. */
            accept_roles: components["schemas"]["DiscoveryRole"][];
            /**
             * Format: int64
             * @description Monitoring rule for items that are accepted automatically or without a rule. Null: they aren't compared.
             */
            default_rule_id: number | null;
            /** @description Name of a credential in an agent's configuration. Null: none. */
            credential_name: string | null;
            /** @description Credentials for the gather jobs of accepted items, by host. */
            source_credentials: components["schemas"]["SourceCredential"][];
            /** @description Five-field cron expression or a shortcut such as `@daily`. Null: no schedule; the job runs when created, reconfigured, or triggered manually. */
            cron_expression: string | null;
            cron_timezone: components["schemas"]["CronTimezone"];
            /** @description Whether it runs on its schedule. */
            is_active: boolean;
            status: components["schemas"]["JobStatus"];
            /** @description Why it is waiting. Null while it runs or when nothing is scheduled. */
            waiting_for: components["schemas"]["JobWaitingFor"] | null;
            /**
             * Format: date-time
             * @description End of the wait if `waiting_for` is `time` or `host_limit`: when the delay after a failure or the rate limit ends. Null otherwise.
             */
            waiting_until: string | null;
            /**
             * Format: date-time
             * @description Next run. Null without a schedule or when inactive.
             */
            next_run_at: string | null;
            /** @description Start of the last run. Null before the first. */
            last_run: components["schemas"]["Run"] | null;
            item_counts: components["schemas"]["DiscoveredItemCounts"];
            /** @description Accepted items that are missing and await confirmation, because more than half of them, and more than three, are missing. For repository groups, repositories that two lists an hour apart excluded. Null when nothing awaits confirmation. */
            gone_held: {
                /**
                 * Format: date-time
                 * @description Time of the first such scan.
                 */
                since: string;
                /** @description Number of missing items or repositories. */
                count: number;
            } | null;
            /** @description What the last scan of a repository read and skipped. For a group, the sums over its repositories, with examples that begin with the name of the repository. Only in the response for a single job. Null before the first scan and for other kinds. */
            coverage?: components["schemas"]["DiscoveryCoverage"] | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description A page of discovery jobs.
         * @example {
         *       "items": [
         *         {
         *           "id": 42,
         *           "name": "Deployments",
         *           "kind": "git_repository",
         *           "repository_url": "https://github.com/acme/deploy",
         *           "ref": "HEAD",
         *           "cluster_name": null,
         *           "cluster_uid": null,
         *           "helm_secrets": false,
         *           "host_name": null,
         *           "host_uid": null,
         *           "group_url": null,
         *           "forge": null,
         *           "repository_filter": null,
         *           "group_job_id": null,
         *           "unlisted": null,
         *           "repository_counts": null,
         *           "include": [],
         *           "exclude": [
         *             "clusters/sandbox/"
         *           ],
         *           "extractors": [],
         *           "label_rules": [
         *             {
         *               "pattern": "clusters/(?P<cluster>[^/]+)/",
         *               "labels": {}
         *             }
         *           ],
         *           "custom_extractors": [],
         *           "accept": "ask",
         *           "accept_roles": [
         *             "deployed"
         *           ],
         *           "default_rule_id": null,
         *           "credential_name": "deploy-readonly",
         *           "source_credentials": [
         *             {
         *               "host": "ghcr.io",
         *               "credential_name": "ghcr-readonly"
         *             }
         *           ],
         *           "cron_expression": "*\/15 * * * *",
         *           "cron_timezone": "UTC",
         *           "is_active": true,
         *           "status": "completed",
         *           "waiting_for": null,
         *           "waiting_until": null,
         *           "next_run_at": "2026-11-21T05:40:11.000Z",
         *           "last_run": {
         *             "id": 981,
         *             "status": "succeeded",
         *             "trigger": "schedule",
         *             "created_at": "2026-11-21T05:10:00.000Z",
         *             "started_at": "2026-11-21T05:10:00.120Z",
         *             "finished_at": "2026-11-21T05:10:01.480Z",
         *             "duration_ms": 1360,
         *             "agent_id": 1,
         *             "attempt": 1,
         *             "error": null,
         *             "summary": {
         *               "not_modified": true,
         *               "requests": 1
         *             }
         *           },
         *           "item_counts": {
         *             "new": 12,
         *             "accepted": 240,
         *             "ignored": 3,
         *             "gone": 1,
         *             "replaced": 2,
         *             "unresolved": 4
         *           },
         *           "gone_held": null,
         *           "created_at": "2026-11-21T05:10:00.000Z",
         *           "updated_at": "2026-11-21T05:10:00.000Z",
         *           "revision": 3
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListDiscoveryJobsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["DiscoveryJob"][];
            /** @description Total number of items, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description A new discovery job. If active, it runs immediately after creation.
         * @example {
         *       "name": "Deployments",
         *       "repository_url": "https://github.com/acme/deploy",
         *       "label_rules": [
         *         {
         *           "pattern": "clusters/(?P<cluster>[^/]+)/"
         *         }
         *       ],
         *       "cron_expression": "*\/15 * * * *"
         *     }
         */
        CreateDiscoveryJobRequest: {
            name: components["schemas"]["Name"];
            /** @default git_repository */
            kind?: components["schemas"]["DiscoveryKind"];
            /**
             * @description Git repository: `https://` or `ssh://` (or `git@host:path`), without user information and not starting with `-`. Required for repositories, null otherwise.
             * @default null
             */
            repository_url?: string | null;
            /**
             * @description Branch, tag, commit, or `HEAD`, not starting with `-`. Null without a repository.
             * @default HEAD
             */
            ref?: string | null;
            /**
             * @description Name of the cluster, which all of its items get as the label `cluster`. Required for clusters, null otherwise.
             * @default null
             */
            cluster_name?: string | null;
            /**
             * @description Also read the secrets of Helm releases, to identify charts exactly. The agent's role must allow listing secrets; only the chart's name, version, and project URL leave the agent.
             * @default false
             */
            helm_secrets?: boolean;
            /**
             * @description Name of the container host, which all of its items get as the label `host`. Required for container hosts, null otherwise.
             * @default null
             */
            host_name?: string | null;
            /**
             * @description URL of the organization or group, such as `https://github.com/acme` or `https://gitlab.com/acme/platform`. Required for repository groups, null otherwise.
             * @default null
             */
            group_url?: string | null;
            /**
             * @description Software of the platform. If null, it's derived from the host of `group_url`. Required for a group if the name of the host doesn't show the software.
             * @default null
             */
            forge?: components["schemas"]["ForgeKind"] | null;
            /**
             * @description Chooses the repositories of a group. If null, these are all repositories that are neither archived nor forks. Must be null for other kinds.
             * @default null
             */
            repository_filter?: components["schemas"]["RepositoryFilter"] | null;
            /**
             * @description Only files that match one of these patterns are read. Empty: all files. For clusters, patterns match `namespace/Kind/name`; for container hosts, `project/service/name` or `container/name`.
             * @default []
             */
            include?: components["schemas"]["PathPattern"][];
            /**
             * @description Files that match one of these patterns aren't read. Directories of dependencies, test data, and examples are always skipped.
             * @default []
             */
            exclude?: components["schemas"]["PathPattern"][];
            /**
             * @description The kinds of files to read. Empty: all kinds.
             * @default []
             */
            extractors?: components["schemas"]["ExtractorName"][];
            /**
             * @description Labels from paths. They override labels that Pacekeeper guesses.
             * @default []
             */
            label_rules?: components["schemas"]["LabelRule"][];
            /**
             * @description Patterns for versions that no extractor reads. Only for repositories and groups of them.
             * @default []
             */
            custom_extractors?: components["schemas"]["CustomExtractor"][];
            /** @default ask */
            accept?: components["schemas"]["DiscoveryAccept"];
            /**
             * @description Roles of the items that are accepted automatically, and by filters without `roles`. Usually only deployed software is monitored.
             * @default [
             *       "deployed"
             *     ]
             */
            accept_roles?: components["schemas"]["DiscoveryRole"][];
            /**
             * Format: int64
             * @description Monitoring rule for items that are accepted automatically or without a rule. Null: they aren't compared.
             * @default null
             */
            default_rule_id?: number | null;
            /**
             * @description Name of a credential in an agent's configuration. Null: none.
             * @default null
             */
            credential_name?: string | null;
            /**
             * @description Credentials for the gather jobs of accepted items, by host.
             * @default []
             */
            source_credentials?: components["schemas"]["SourceCredential"][];
            /**
             * @description Five-field cron expression or a shortcut such as `@daily`. Null: no schedule; the job runs when created, reconfigured, or triggered manually.
             * @default null
             */
            cron_expression?: string | null;
            /** @default UTC */
            cron_timezone?: components["schemas"]["CronTimezone"];
            /**
             * @description Whether it runs on its schedule.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description Changes to a discovery job. At least one field is required; omitted fields keep their values.
         * @example {
         *       "exclude": [
         *         "clusters/sandbox/"
         *       ]
         *     }
         */
        UpdateDiscoveryJobRequest: {
            name?: components["schemas"]["Name"];
            /** @description Git repository: `https://` or `ssh://` (or `git@host:path`), without user information and not starting with `-`. Required for repositories, null otherwise. */
            repository_url?: string | null;
            /** @description Branch, tag, commit, or `HEAD`, not starting with `-`. Null without a repository. */
            ref?: string | null;
            /** @description Name of the cluster, which all of its items get as the label `cluster`. Required for clusters, null otherwise. */
            cluster_name?: string | null;
            /** @description Also read the secrets of Helm releases, to identify charts exactly. The agent's role must allow listing secrets; only the chart's name, version, and project URL leave the agent. */
            helm_secrets?: boolean;
            /** @description Name of the container host, which all of its items get as the label `host`. Required for container hosts, null otherwise. */
            host_name?: string | null;
            /** @description URL of the organization or group, such as `https://github.com/acme` or `https://gitlab.com/acme/platform`. Required for repository groups, null otherwise. */
            group_url?: string | null;
            /** @description Software of the platform. If null, it's derived from the host of `group_url`. Required for a group if the name of the host doesn't show the software. */
            forge?: components["schemas"]["ForgeKind"] | null;
            /** @description Chooses the repositories of a group. If null, these are all repositories that are neither archived nor forks. Must be null for other kinds. */
            repository_filter?: components["schemas"]["RepositoryFilter"] | null;
            /** @description Only files that match one of these patterns are read. Empty: all files. For clusters, patterns match `namespace/Kind/name`; for container hosts, `project/service/name` or `container/name`. */
            include?: components["schemas"]["PathPattern"][];
            /** @description Files that match one of these patterns aren't read. Directories of dependencies, test data, and examples are always skipped. */
            exclude?: components["schemas"]["PathPattern"][];
            /** @description The kinds of files to read. Empty: all kinds. */
            extractors?: components["schemas"]["ExtractorName"][];
            /** @description Labels from paths. They override labels that Pacekeeper guesses. */
            label_rules?: components["schemas"]["LabelRule"][];
            /** @description Patterns for versions that no extractor reads. Only for repositories and groups of them. */
            custom_extractors?: components["schemas"]["CustomExtractor"][];
            accept?: components["schemas"]["DiscoveryAccept"];
            /** @description Roles of the items that are accepted automatically, and by filters without `roles`. Usually only deployed software is monitored. */
            accept_roles?: components["schemas"]["DiscoveryRole"][];
            /**
             * Format: int64
             * @description Monitoring rule for items that are accepted automatically or without a rule. Null: they aren't compared.
             */
            default_rule_id?: number | null;
            /** @description Name of a credential in an agent's configuration. Null: none. */
            credential_name?: string | null;
            /** @description Credentials for the gather jobs of accepted items, by host. */
            source_credentials?: components["schemas"]["SourceCredential"][];
            /** @description Five-field cron expression or a shortcut such as `@daily`. Null: no schedule; the job runs when created, reconfigured, or triggered manually. */
            cron_expression?: string | null;
            cron_timezone?: components["schemas"]["CronTimezone"];
            /** @description Whether it runs on its schedule. */
            is_active?: boolean;
        };
        /**
         * @description Files to search. Nothing is stored or fetched.
         * @example {
         *       "files": [
         *         {
         *           "path": "clusters/prod/web.yaml",
         *           "content": "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { template: { spec: { containers: [{ name: web, image: ghcr.io/acme/web:1.2.3 }] } } }\n"
         *         }
         *       ]
         *     }
         */
        PreviewDiscoveryRequest: {
            /** @description Files of one repository. */
            files: {
                /** @description The path in the repository. */
                path: string;
                /** @description The text of the file. */
                content: string;
            }[];
            /**
             * @description As in CreateDiscoveryJobRequest.
             * @default []
             */
            label_rules?: components["schemas"]["LabelRule"][];
            /**
             * @description As in CreateDiscoveryJobRequest.
             * @default []
             */
            custom_extractors?: components["schemas"]["CustomExtractor"][];
        };
        /**
         * @description Where a file names the version.
         * @example {
         *       "file": "clusters/prod/cert-manager.yaml",
         *       "line": 12,
         *       "document": 0,
         *       "kind": "HelmRelease",
         *       "namespace": "cert-manager",
         *       "name": "cert-manager",
         *       "field": "spec.chart"
         *     }
         */
        DiscoveredPlace: {
            /** @description The path in the repository. In a cluster: `namespace/Kind/name`. */
            file: string;
            /** @description The line, counted from 1. */
            line: number;
            /** @description The document in the file, counted from 0. */
            document: number;
            /** @description The kind of object. */
            kind: string | null;
            /** @description Its namespace. */
            namespace: string | null;
            /** @description Its name. */
            name: string | null;
            /** @description The field. */
            field: string;
        };
        /**
         * @description A deployed artifact.
         * @example {
         *       "kind": "chart",
         *       "name": "cert-manager",
         *       "purl": "pkg:helm/cert-manager?repository_url=charts.jetstack.io",
         *       "key": "pkg:helm/cert-manager?repository_url=charts.jetstack.io"
         *     }
         */
        DiscoveredArtifact: {
            /**
             * @description The kind of artifact. `unknown` until a scan has found an item that a configuration file names.
             * @enum {string}
             */
            kind: "chart" | "image" | "git" | "action" | "terraform_provider" | "terraform_module" | "tool" | "service" | "unknown";
            /** @description The name in the file. */
            name: string;
            /** @description The package URL. Null if no file says where the artifact is published. */
            purl: string | null;
            /** @description Identifies the artifact in filters and groups. */
            key: string;
        };
        /**
         * @description Why an item can't be accepted as it is.
         * @example floating
         * @enum {string}
         */
        DiscoveryReason: "templated" | "range" | "floating" | "digest" | "commit" | "overridden" | "chart_default" | "no_source" | "no_lifecycle" | "local" | "unsupported_source" | "invalid" | "malformed" | "unreadable" | "too_large" | "outside" | "submodule" | "git_lfs" | "encrypted" | "timed_out" | "limit" | "not_a_version" | "not_scanned";
        /**
         * @description An item as a scan would find it.
         * @example {
         *       "extractor": "kubernetes",
         *       "key": "kubernetes:Deployment::web:spec.template.spec.containers.web.image",
         *       "place": {
         *         "file": "clusters/prod/web.yaml",
         *         "line": 4,
         *         "document": 0,
         *         "kind": "Deployment",
         *         "namespace": null,
         *         "name": "web",
         *         "field": "spec.template.spec.containers.web.image"
         *       },
         *       "artifact": {
         *         "kind": "image",
         *         "name": "ghcr.io/acme/web",
         *         "purl": "pkg:oci/web?repository_url=ghcr.io%2Facme%2Fweb",
         *         "key": "pkg:oci/web?repository_url=ghcr.io%2Facme%2Fweb"
         *       },
         *       "version": "1.2.3",
         *       "version_state": "exact",
         *       "digest": null,
         *       "note": null,
         *       "labels": {
         *         "environment": "prod",
         *         "service": "web"
         *       },
         *       "label_sources": {
         *         "environment": "path",
         *         "service": "name"
         *       },
         *       "proposal": {
         *         "source_type": "oci_registry",
         *         "artifact_name": "ghcr.io/acme/web",
         *         "source_options": {},
         *         "is_confirmed": false,
         *         "confidence": "certain",
         *         "why": "the registry of the image",
         *         "candidates": []
         *       },
         *       "reason": null
         *     }
         */
        PreviewedItem: {
            extractor: components["schemas"]["ExtractorName"];
            /** @description Identifies the item within its repository. */
            key: string;
            place: components["schemas"]["DiscoveredPlace"];
            artifact: components["schemas"]["DiscoveredArtifact"];
            /** @description The version as written. Null if the file has none. */
            version: string | null;
            /**
             * @description What the version is.
             * @enum {string}
             */
            version_state: "exact" | "range" | "floating" | "digest" | "commit" | "templated" | "overridden";
            /** @description The digest next to the version. */
            digest: string | null;
            /** @description How the version was found, if that isn't obvious. */
            note: string | null;
            labels: components["schemas"]["Labels"];
            /** @description Where each label comes from, by its key. */
            label_sources: {
                [key: string]: components["schemas"]["LabelSource"];
            };
            proposal: components["schemas"]["DiscoveryProposal"];
            /** @description Why it can't be accepted as it is. Null if it can. */
            reason: components["schemas"]["DiscoveryReason"] | null;
        };
        /**
         * @description What a scan would find.
         * @example {
         *       "items": [
         *         {
         *           "extractor": "kubernetes",
         *           "key": "kubernetes:Deployment::web:spec.template.spec.containers.web.image",
         *           "place": {
         *             "file": "clusters/prod/web.yaml",
         *             "line": 4,
         *             "document": 0,
         *             "kind": "Deployment",
         *             "namespace": null,
         *             "name": "web",
         *             "field": "spec.template.spec.containers.web.image"
         *           },
         *           "artifact": {
         *             "kind": "image",
         *             "name": "ghcr.io/acme/web",
         *             "purl": "pkg:oci/web?repository_url=ghcr.io%2Facme%2Fweb",
         *             "key": "pkg:oci/web?repository_url=ghcr.io%2Facme%2Fweb"
         *           },
         *           "version": "1.2.3",
         *           "version_state": "exact",
         *           "digest": null,
         *           "note": null,
         *           "labels": {
         *             "environment": "prod",
         *             "service": "web"
         *           },
         *           "label_sources": {
         *             "environment": "path",
         *             "service": "name"
         *           },
         *           "proposal": {
         *             "source_type": "oci_registry",
         *             "artifact_name": "ghcr.io/acme/web",
         *             "source_options": {},
         *             "is_confirmed": false,
         *             "confidence": "certain",
         *             "why": "the registry of the image",
         *             "candidates": []
         *           },
         *           "reason": null
         *         }
         *       ],
         *       "omitted_count": 0,
         *       "problems": [],
         *       "silent_files": [],
         *       "pattern_problems": []
         *     }
         */
        PreviewDiscoveryResponse: {
            /** @description The first items. */
            items: components["schemas"]["PreviewedItem"][];
            /** @description Number of further items. */
            omitted_count: number;
            /** @description What couldn't be read, at most 100. */
            problems: {
                /** @description The path of the file. */
                file: string;
                /** @description The line. */
                line: number;
                reason: components["schemas"]["DiscoveryReason"];
                /** @description What is wrong. */
                message: string;
            }[];
            /** @description Files that yield no versions, by kind and reason. */
            silent_files: components["schemas"]["SilentFiles"][];
            /** @description Parts of a Renovate configuration that can't be used. */
            pattern_problems: components["schemas"]["PatternProblem"][];
        };
        /**
         * @description A mirror of the organization. Everything below the prefix is a copy of what is below the prefix of the upstream, so it has the same catalog entry, lifecycle, and vulnerabilities.
         * @example {
         *       "id": 3,
         *       "name": "Cache of Docker Hub",
         *       "prefix": "harbor.corp.example/dockerhub/",
         *       "upstream_prefix": "docker.io/",
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 1
         *     }
         */
        ArtifactAlias: {
            /**
             * Format: int64
             * @description ID of the alias.
             */
            id: number;
            /** @description Name of the alias. */
            name: string;
            /** @description Address of the mirror, without a scheme and with a slash at its end. */
            prefix: string;
            /** @description Address of the upstream, without a scheme and with a slash at its end. */
            upstream_prefix: string;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description One page of artifact aliases, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 3,
         *           "name": "Cache of Docker Hub",
         *           "prefix": "harbor.corp.example/dockerhub/",
         *           "upstream_prefix": "docker.io/",
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z",
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListArtifactAliasesResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["ArtifactAlias"][];
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
         * @description A new artifact alias.
         * @example {
         *       "name": "Cache of Docker Hub",
         *       "prefix": "harbor.corp.example/dockerhub/",
         *       "upstream_prefix": "docker.io/"
         *     }
         */
        CreateArtifactAliasRequest: {
            name: components["schemas"]["Name"];
            /** @description Address of the mirror: a host, or a host and complete segments of a path. Applies to images, charts in registries and Helm repositories, and Git repositories. The longest matching prefix applies. */
            prefix: string;
            /** @description Address of the upstream that the mirror copies. It replaces the prefix, and the rest of the address stays the same. */
            upstream_prefix: string;
        };
        /**
         * @description An alias that the addresses of an organization suggest.
         * @example {
         *       "prefix": "harbor.corp.example/dockerhub/",
         *       "upstream_prefix": "docker.io/",
         *       "known_count": 4,
         *       "artifact_count": 5,
         *       "examples": [
         *         {
         *           "artifact_name": "harbor.corp.example/dockerhub/library/redis",
         *           "upstream": "docker.io/library/redis"
         *         }
         *       ]
         *     }
         */
        ArtifactAliasSuggestion: {
            /** @description The prefix that artifacts share. */
            prefix: string;
            /** @description The prefix below which the rest of their addresses is known. */
            upstream_prefix: string;
            /** @description Number of artifacts below the prefix that are known below the prefix of the upstream. */
            known_count: number;
            /** @description Number of all artifacts below the prefix. */
            artifact_count: number;
            /** @description Some of the known artifacts. */
            examples: {
                /** @description Address at the mirror. */
                artifact_name: string;
                /** @description Address at the upstream. */
                upstream: string;
            }[];
        };
        /**
         * @description Suggested artifact aliases.
         * @example {
         *       "items": [
         *         {
         *           "prefix": "harbor.corp.example/dockerhub/",
         *           "upstream_prefix": "docker.io/",
         *           "known_count": 4,
         *           "artifact_count": 5,
         *           "examples": [
         *             {
         *               "artifact_name": "harbor.corp.example/dockerhub/library/redis",
         *               "upstream": "docker.io/library/redis"
         *             }
         *           ]
         *         }
         *       ],
         *       "is_complete": true
         *     }
         */
        ListArtifactAliasSuggestionsResponse: {
            /** @description The suggestions, those with the most artifacts first. */
            items: components["schemas"]["ArtifactAliasSuggestion"][];
            /** @description False if the organization has more than 10,000 artifacts. The others weren't compared. */
            is_complete: boolean;
        };
        /**
         * @description Changes to an artifact alias. Omitted fields keep their values.
         * @example {
         *       "upstream_prefix": "quay.io/"
         *     }
         */
        UpdateArtifactAliasRequest: {
            name?: components["schemas"]["Name"];
            /** @description Address of the mirror: a host, or a host and complete segments of a path. Applies to images, charts in registries and Helm repositories, and Git repositories. The longest matching prefix applies. */
            prefix?: string;
            /** @description Address of the upstream that the mirror copies. It replaces the prefix, and the rest of the address stays the same. */
            upstream_prefix?: string;
        };
        /**
         * @description The actor: a user, an API key, an acknowledge link, or the system.
         * @example {
         *       "type": "user",
         *       "id": 3,
         *       "name": "Ada"
         *     }
         */
        Actor: {
            /**
             * @description The kind of actor.
             * @enum {string}
             */
            type: "user" | "api_key" | "link" | "system";
            /**
             * Format: int64
             * @description ID of the user or key. Null for links and the system.
             */
            id: number | null;
            /** @description The name at the time of the action. */
            name: string;
        };
        /**
         * @description The upstream that someone chose for an artifact. It applies to every place of the artifact, also to those that later scans find, unless someone chose an upstream for the place itself.
         * @example {
         *       "id": 5,
         *       "artifact": "pkg:oci/shop?repository_url=ghcr.io%2Facme%2Fshop",
         *       "source_type": "github_releases",
         *       "artifact_name": "github.com/acme/shop",
         *       "source_options": {},
         *       "updated_by": {
         *         "type": "user",
         *         "id": 3,
         *         "name": "Ada"
         *       },
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 1
         *     }
         */
        ArtifactCorrection: {
            /**
             * Format: int64
             * @description ID of the correction.
             */
            id: number;
            /** @description The artifact: its package URL, or its kind and its name if it has none. */
            artifact: string;
            /** @description The kind of source. Null: the artifact has no upstream. */
            source_type: components["schemas"]["ReleaseSourceType"] | null;
            /** @description The upstream. Null without one. */
            artifact_name: string | null;
            source_options: components["schemas"]["GatherSourceOptions"];
            /** @description The last actor that changed it. */
            updated_by: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description One page of artifact corrections, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 5,
         *           "artifact": "pkg:oci/shop?repository_url=ghcr.io%2Facme%2Fshop",
         *           "source_type": "github_releases",
         *           "artifact_name": "github.com/acme/shop",
         *           "source_options": {},
         *           "updated_by": {
         *             "type": "user",
         *             "id": 3,
         *             "name": "Ada"
         *           },
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z",
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListArtifactCorrectionsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["ArtifactCorrection"][];
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
         * @description A correction of the upstream of an artifact.
         * @example {
         *       "artifact": "pkg:oci/shop?repository_url=ghcr.io%2Facme%2Fshop",
         *       "source_type": "github_releases",
         *       "artifact_name": "github.com/acme/shop"
         *     }
         * @example {
         *       "artifact": "image:registry.local/billing",
         *       "source_type": null
         *     }
         */
        CreateArtifactCorrectionRequest: {
            /** @description The artifact: its package URL, or its kind and its name, such as `image:registry.local/shop`, if it has none. The `key` of the artifact of a discovered item. */
            artifact: string;
            /** @description The kind of source. Null: the artifact has no upstream, for example because it's your own service. */
            source_type: components["schemas"]["ReleaseSourceType"] | null;
            /**
             * @description The upstream, as in CreateGatherJobRequest. Required for a source type.
             * @default null
             */
            artifact_name?: string | null;
            /** @default {} */
            source_options?: components["schemas"]["GatherSourceOptions"];
        };
        /**
         * @description Changes to a correction. Omitted fields keep their values, except that a `source_type` of null also clears the others.
         * @example {
         *       "artifact_name": "github.com/acme/shop"
         *     }
         */
        UpdateArtifactCorrectionRequest: {
            /** @description The kind of source. Null: the artifact has no upstream, for example because it's your own service. */
            source_type?: components["schemas"]["ReleaseSourceType"] | null;
            /** @description The upstream, as in CreateGatherJobRequest. Required for a source type. */
            artifact_name?: string | null;
            source_options?: components["schemas"]["GatherSourceOptions"];
        };
        /**
         * @description `new`: neither accepted nor ignored. `accepted`: feeds a scrape job. `ignored`: by a person, or because another discovery job found the same. `gone`: recent scans didn't find it. `replaced`: another artifact is now at its place.
         * @example new
         * @enum {string}
         */
        DiscoveredItemStatus: "new" | "accepted" | "ignored" | "gone" | "replaced";
        /**
         * @description Why a file wasn't read. `malformed`: it isn't valid. `templated`: it's a template. `too_large`: it exceeds a limit. `limit`: the scan reached a limit before it read the file. `timed_out`: reading it took too long. `encrypted`: it's encrypted. `git_lfs`: Git contains only a pointer to it. `outside`: it's a symbolic link. `submodule`: it's in a submodule. `unreadable`: it isn't text. `held`: it was read, but so many accepted items are missing that someone must confirm the loss.
         * @example malformed
         * @enum {string}
         */
        UnreadReason: "malformed" | "templated" | "too_large" | "limit" | "timed_out" | "encrypted" | "git_lfs" | "outside" | "submodule" | "unreadable" | "held";
        /**
         * @description A deployed version that a discovery job found.
         * @example {
         *       "id": 7,
         *       "discovery_job_id": 42,
         *       "discovery_job_name": "Deployments",
         *       "extractor": "flux",
         *       "role": "deployed",
         *       "key": "flux:HelmRelease:cert-manager:cert-manager:spec.chart",
         *       "discriminator": "",
         *       "place": {
         *         "file": "clusters/prod/cert-manager.yaml",
         *         "line": 12,
         *         "document": 0,
         *         "kind": "HelmRelease",
         *         "namespace": "cert-manager",
         *         "name": "cert-manager",
         *         "field": "spec.chart"
         *       },
         *       "artifact": {
         *         "kind": "chart",
         *         "name": "cert-manager",
         *         "purl": "pkg:helm/cert-manager?repository_url=charts.jetstack.io",
         *         "key": "pkg:helm/cert-manager?repository_url=charts.jetstack.io"
         *       },
         *       "version": "1.16.2",
         *       "version_state": "exact",
         *       "digest": null,
         *       "matched_version": null,
         *       "match": null,
         *       "newer_since": null,
         *       "note": null,
         *       "live_version": null,
         *       "live_match": null,
         *       "live_since": null,
         *       "name": "cert-manager",
         *       "labels": {
         *         "environment": "prod",
         *         "service": "cert-manager"
         *       },
         *       "label_sources": {
         *         "environment": "path",
         *         "service": "name"
         *       },
         *       "proposal": {
         *         "source_type": "helm_repository",
         *         "artifact_name": "charts.jetstack.io/cert-manager",
         *         "source_options": {},
         *         "is_confirmed": false,
         *         "confidence": "certain",
         *         "why": "the Helm repository of the chart",
         *         "candidates": []
         *       },
         *       "status": "new",
         *       "reason": null,
         *       "ignore_reason": null,
         *       "duplicate_of_id": null,
         *       "scrape_job_id": null,
         *       "alert_config_id": null,
         *       "missing_since": null,
         *       "replaces": null,
         *       "replaced_by": null,
         *       "unread_since": null,
         *       "unread_reason": null,
         *       "unread_message": null,
         *       "version_unknown_since": null,
         *       "rule_id": null,
         *       "not_monitored": false,
         *       "monitor_problem": null,
         *       "edited_fields": [],
         *       "first_seen_at": "2026-11-21T05:10:00.000Z",
         *       "last_seen_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z",
         *       "revision": 1
         *     }
         */
        DiscoveredItem: {
            /**
             * Format: int64
             * @description ID of the item.
             */
            id: number;
            /**
             * Format: int64
             * @description The discovery job that found it.
             */
            discovery_job_id: number;
            /** @description The name of this job. */
            discovery_job_name: string;
            extractor: components["schemas"]["ExtractorName"];
            role: components["schemas"]["DiscoveryRole"];
            /** @description Identifies the item within its repository. Stays the same when the file moves. */
            key: string;
            /** @description Tells items apart that have the same key. */
            discriminator: string;
            place: components["schemas"]["DiscoveredPlace"];
            artifact: components["schemas"]["DiscoveredArtifact"];
            /** @description The version as written. Null if the file has none. */
            version: string | null;
            /**
             * @description What the version is.
             * @enum {string}
             */
            version_state: "exact" | "range" | "floating" | "digest" | "commit" | "templated" | "overridden";
            /** @description The digest next to the version, or the one that a cluster or a host reports. */
            digest: string | null;
            /** @description The version of the release with the same digest, if `version` is a moving tag such as `latest` or `1.25`, or missing. It is compared instead of `version`. If several releases have the digest, the most specific version. Null if unknown. */
            matched_version: string | null;
            /** @description How `matched_version` was found. Null if unknown. */
            match: components["schemas"]["VersionMatch"] | null;
            /**
             * Format: date-time
             * @description Items whose version is unknown: the date of the first newer release since the digest was first seen. Null if there is none, or no date is known.
             */
            newer_since: string | null;
            /** @description How the version was found, if that isn't obvious. */
            note: string | null;
            /** @description The running version, according to a recent scan of the cluster with the same label `cluster`. It is compared instead of `version`. Null if unknown. */
            live_version: string | null;
            /** @description How `live_version` was found if the cluster or the host doesn't name it. Null if it does. */
            live_match: components["schemas"]["VersionMatch"] | null;
            /**
             * Format: date-time
             * @description When it started to differ from the declared version. Null if it doesn't differ.
             */
            live_since: string | null;
            /** @description The name of the jobs and configurations that accepting creates. */
            name: string;
            labels: components["schemas"]["Labels"];
            /** @description Where each label comes from, by its key. */
            label_sources: {
                [key: string]: components["schemas"]["LabelSource"];
            };
            proposal: components["schemas"]["DiscoveryProposal"];
            status: components["schemas"]["DiscoveredItemStatus"];
            /** @description Why it can't be accepted as it is. Null if it can. */
            reason: components["schemas"]["DiscoveryReason"] | null;
            /** @description The reason given when it was ignored. */
            ignore_reason: string | null;
            /**
             * Format: int64
             * @description The same item of another discovery job. Null if it isn't a duplicate.
             */
            duplicate_of_id: number | null;
            /**
             * Format: int64
             * @description The scrape job that it feeds. Null unless accepted.
             */
            scrape_job_id: number | null;
            /**
             * Format: int64
             * @description The first alert configuration of that scrape job. Null if it has none.
             */
            alert_config_id: number | null;
            /**
             * Format: date-time
             * @description The first scan that didn't find it. Null if the last one did.
             */
            missing_since: string | null;
            /**
             * Format: int64
             * @description The item with another artifact that was at this place before. Null if none was.
             */
            replaces: number | null;
            /**
             * Format: int64
             * @description The item with another artifact that is at this place now. Null unless the item was replaced.
             */
            replaced_by: number | null;
            /**
             * Format: date-time
             * @description The first scan that couldn't read the item's file. The version is the last known one. Null if the last scan read it.
             */
            unread_since: string | null;
            /** @description Why the file wasn't read. Null if it was. */
            unread_reason: components["schemas"]["UnreadReason"] | null;
            /** @description Details of the problem with the file. */
            unread_message: string | null;
            /**
             * Format: date-time
             * @description Accepted items: the first scan that couldn't determine the version, for example because the file says `latest`. The scrape job keeps the last known version and becomes stale. Null if the version is known.
             */
            version_unknown_since: string | null;
            /**
             * Format: int64
             * @description The rule that the item was accepted with. Null: the default rule of its discovery job, which also applies after the rule was deleted.
             */
            rule_id: number | null;
            /** @description Whether someone deleted its alert configuration or accepted the item without one. Pacekeeper doesn't create another one until someone requests it. */
            not_monitored: boolean;
            /** @description Fields that someone corrected for this item, so that they no longer follow the file. `source`: someone chose its upstream, which takes precedence over the correction of its artifact. */
            edited_fields: ("name" | "labels" | "source")[];
            /** @description Why Pacekeeper can't create or update its jobs or its alert configuration. Null if it can. */
            monitor_problem: string | null;
            /**
             * Format: date-time
             * @description When it was first found.
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description When it was last found.
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description All places of an artifact that match the filters.
         * @example {
         *       "artifact": {
         *         "kind": "chart",
         *         "name": "cert-manager",
         *         "purl": "pkg:helm/cert-manager?repository_url=charts.jetstack.io",
         *         "key": "pkg:helm/cert-manager?repository_url=charts.jetstack.io"
         *       },
         *       "item_id": 7,
         *       "proposal": {
         *         "source_type": "helm_repository",
         *         "artifact_name": "charts.jetstack.io/cert-manager",
         *         "source_options": {},
         *         "is_confirmed": false,
         *         "confidence": "certain",
         *         "why": "the Helm repository of the chart",
         *         "candidates": []
         *       },
         *       "place_count": 4,
         *       "version_count": 2,
         *       "versions": [
         *         "1.16.2",
         *         "1.15.3"
         *       ],
         *       "status_counts": {
         *         "new": 3,
         *         "accepted": 1,
         *         "ignored": 0,
         *         "gone": 0
         *       },
         *       "unresolved_count": 0
         *     }
         */
        DiscoveredGroup: {
            artifact: components["schemas"]["DiscoveredArtifact"];
            /**
             * Format: int64
             * @description ID of the first item. To correct the upstream of all items, update this one with `apply_to: artifact`.
             */
            item_id: number;
            proposal: components["schemas"]["DiscoveryProposal"];
            /** @description Number of places. */
            place_count: number;
            /** @description Number of different versions. */
            version_count: number;
            /** @description The most frequent versions. */
            versions: string[];
            /** @description Number of places by status. */
            status_counts: {
                /** @description New items. */
                new: number;
                /** @description Accepted items. */
                accepted: number;
                /** @description Ignored items. */
                ignored: number;
                /** @description Items that are no longer found. */
                gone: number;
            };
            /** @description Number of new items without an upstream. */
            unresolved_count: number;
        };
        /**
         * @description A page of discovered items, or of groups of them.
         * @example {
         *       "items": [
         *         {
         *           "id": 7,
         *           "discovery_job_id": 42,
         *           "discovery_job_name": "Deployments",
         *           "extractor": "flux",
         *           "role": "deployed",
         *           "key": "flux:HelmRelease:cert-manager:cert-manager:spec.chart",
         *           "discriminator": "",
         *           "place": {
         *             "file": "clusters/prod/cert-manager.yaml",
         *             "line": 12,
         *             "document": 0,
         *             "kind": "HelmRelease",
         *             "namespace": "cert-manager",
         *             "name": "cert-manager",
         *             "field": "spec.chart"
         *           },
         *           "artifact": {
         *             "kind": "chart",
         *             "name": "cert-manager",
         *             "purl": "pkg:helm/cert-manager?repository_url=charts.jetstack.io",
         *             "key": "pkg:helm/cert-manager?repository_url=charts.jetstack.io"
         *           },
         *           "version": "1.16.2",
         *           "version_state": "exact",
         *           "digest": null,
         *           "matched_version": null,
         *           "match": null,
         *           "newer_since": null,
         *           "note": null,
         *           "live_version": null,
         *           "live_match": null,
         *           "live_since": null,
         *           "name": "cert-manager",
         *           "labels": {
         *             "environment": "prod",
         *             "service": "cert-manager"
         *           },
         *           "label_sources": {
         *             "environment": "path",
         *             "service": "name"
         *           },
         *           "proposal": {
         *             "source_type": "helm_repository",
         *             "artifact_name": "charts.jetstack.io/cert-manager",
         *             "source_options": {},
         *             "is_confirmed": false,
         *             "confidence": "certain",
         *             "why": "the Helm repository of the chart",
         *             "candidates": []
         *           },
         *           "status": "new",
         *           "reason": null,
         *           "ignore_reason": null,
         *           "duplicate_of_id": null,
         *           "scrape_job_id": null,
         *           "alert_config_id": null,
         *           "missing_since": null,
         *           "replaces": null,
         *           "replaced_by": null,
         *           "unread_since": null,
         *           "unread_reason": null,
         *           "unread_message": null,
         *           "version_unknown_since": null,
         *           "rule_id": null,
         *           "not_monitored": false,
         *           "monitor_problem": null,
         *           "edited_fields": [],
         *           "first_seen_at": "2026-11-21T05:10:00.000Z",
         *           "last_seen_at": "2026-11-21T05:10:00.000Z",
         *           "updated_at": "2026-11-21T05:10:00.000Z",
         *           "revision": 1
         *         }
         *       ],
         *       "groups": [],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListDiscoveredItemsResponse: {
            /** @description The items of this page. Empty with `group_by`. */
            items: components["schemas"]["DiscoveredItem"][];
            /** @description The groups of this page. Empty without `group_by`. */
            groups: components["schemas"]["DiscoveredGroup"][];
            /** @description Total number of items or groups, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description Items to ignore.
         * @example {
         *       "item_ids": [
         *         7,
         *         8,
         *         9
         *       ],
         *       "reason": "Only used in tests"
         *     }
         */
        IgnoreDiscoveredItemsRequest: {
            /** @description Item IDs. Duplicates count once. */
            item_ids: number[];
            /**
             * @description Why they are ignored.
             * @default null
             */
            reason?: string | null;
        };
        /**
         * @description The outcome for each item. Every ID is in exactly one list.
         * @example {
         *       "ignored": [
         *         7
         *       ],
         *       "already_ignored": [
         *         8
         *       ],
         *       "accepted": [],
         *       "not_found": [
         *         9
         *       ]
         *     }
         */
        IgnoreDiscoveredItemsResponse: {
            /** @description Ignored by this call. */
            ignored: number[];
            /** @description Ignored before; unchanged. */
            already_ignored: number[];
            /** @description Feeds a scrape job; unchanged. */
            accepted: number[];
            /** @description Not an item of this organization. */
            not_found: number[];
        };
        /**
         * @description Items to restore.
         * @example {
         *       "item_ids": [
         *         7,
         *         8
         *       ]
         *     }
         */
        RestoreDiscoveredItemsRequest: {
            /** @description Item IDs. Duplicates count once. */
            item_ids: number[];
        };
        /**
         * @description The outcome for each item. Every ID is in exactly one list.
         * @example {
         *       "restored": [
         *         7
         *       ],
         *       "not_ignored": [
         *         8
         *       ],
         *       "not_found": []
         *     }
         */
        RestoreDiscoveredItemsResponse: {
            /** @description Restored by this call. */
            restored: number[];
            /** @description Wasn't ignored; unchanged. */
            not_ignored: number[];
            /** @description Not an item of this organization. */
            not_found: number[];
        };
        /**
         * @description Items to monitor again.
         * @example {
         *       "item_ids": [
         *         7,
         *         8
         *       ]
         *     }
         */
        MonitorDiscoveredItemsRequest: {
            /** @description Item IDs. Duplicates count once. */
            item_ids: number[];
        };
        /**
         * @description The outcome for each item. Every ID is in exactly one list.
         * @example {
         *       "monitored": [
         *         7
         *       ],
         *       "waiting": [
         *         8
         *       ],
         *       "already_monitored": [],
         *       "not_accepted": [],
         *       "not_found": []
         *     }
         */
        MonitorDiscoveredItemsResponse: {
            /** @description Items that got an alert configuration. */
            monitored: number[];
            /** @description Items that get an alert configuration when their upstream and a rule are known. The rule is the one that the item was accepted with, or the default rule of the discovery job. */
            waiting: number[];
            /** @description Items that already had an alert configuration, which are unchanged. */
            already_monitored: number[];
            /** @description Items that aren't accepted, which are unchanged. */
            not_accepted: number[];
            /** @description IDs that aren't items of this organization. */
            not_found: number[];
        };
        /**
         * @description Corrections of an item. At least one field is required; omitted fields keep their values.
         * @example {
         *       "source_type": "github_releases",
         *       "artifact_name": "github.com/cert-manager/cert-manager",
         *       "apply_to": "artifact"
         *     }
         */
        UpdateDiscoveredItemRequest: {
            /** @description The kind of source. Null: no upstream, for example for your own services. */
            source_type?: components["schemas"]["ReleaseSourceType"] | null;
            /** @description As in CreateGatherJobRequest. Required for a source type. */
            artifact_name?: string | null;
            source_options?: components["schemas"]["GatherSourceOptions"];
            /**
             * @description Where the upstream applies: to this `item`, or to every place of its `artifact`.
             * @default item
             * @enum {string}
             */
            apply_to?: "item" | "artifact";
            name?: components["schemas"]["Name"];
            labels?: components["schemas"]["Labels"];
        };
        /**
         * @description What a rule counts. `days_behind`: while a newer release exists, whole days since the first newer release (with `days_basis: deployed_release`, since the deployed release). `majors_behind`: major versions between the deployed and the latest version. `minors_behind`: distinct major.minor lines above the deployed version. `upstream_silent`: whole days since the newest release, whatever is deployed. `end_of_life`: days until support for the deployed version ends. `known_vulnerabilities`: published vulnerabilities of the deployed version.
         * @example days_behind
         * @enum {string}
         */
        MonitoringRuleType: "days_behind" | "majors_behind" | "minors_behind" | "upstream_silent" | "end_of_life" | "known_vulnerabilities";
        /**
         * @description Days, majors, or minors behind (depending on the rule type) for each severity. At least one is required, and values must be at least 1 and strictly ascend from moderate to high to critical. For `end_of_life` rules, they are days before the end of support from 3650 to -3650, and strictly descend. For `known_vulnerabilities` rules, they are counts in any order: `critical` counts critical vulnerabilities, `high` counts high and critical ones, and `moderate` counts all of them, including those without a known severity.
         * @example {
         *       "moderate": 30,
         *       "high": 60,
         *       "critical": 90
         *     }
         * @example {
         *       "critical": 2
         *     }
         */
        MonitoringThresholds: {
            /** @description Moderate from this value on. */
            moderate?: number;
            /** @description High from this value on. */
            high?: number;
            /** @description Critical from this value on. */
            critical?: number;
        };
        /**
         * @description Start of the count for days rules: the date of the deployed release, or the date of the first release above it, which is the default for new rules. Existing rules keep their basis until you change it.
         * @example deployed_release
         * @enum {string}
         */
        DaysBasis: "deployed_release" | "first_newer_release";
        /**
         * @description Which end of support counts: that of `active_support`, `end_of_life`, or `extended_support`. For release lines without the phase, the end of life counts.
         * @example end_of_life
         * @enum {string}
         */
        SupportPhase: "active_support" | "end_of_life" | "extended_support";
        /**
         * @description How far a deployed version can fall behind before an alert opens, and with which severity.
         * @example {
         *       "id": 7,
         *       "name": "Ninety days",
         *       "description": "Nothing in production is older than three months.",
         *       "rule_type": "days_behind",
         *       "thresholds": {
         *         "moderate": 30,
         *         "high": 60,
         *         "critical": 90
         *       },
         *       "stable_only": true,
         *       "days_basis": "deployed_release",
         *       "support_phase": null,
         *       "min_release_age_days": 0,
         *       "is_active": true,
         *       "alert_config_count": 12,
         *       "open_alert_count": 3,
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 3
         *     }
         */
        MonitoringRule: {
            /**
             * Format: int64
             * @description ID of the rule.
             */
            id: number;
            /** @description Name of the rule. */
            name: string;
            /** @description Optional description. Empty if not set. */
            description: string;
            rule_type: components["schemas"]["MonitoringRuleType"];
            thresholds: components["schemas"]["MonitoringThresholds"];
            /** @description Whether to exclude pre-releases from the comparison. */
            stable_only: boolean;
            /** @description Start of the count for days rules. Null for other types. */
            days_basis: components["schemas"]["DaysBasis"] | null;
            /** @description Which end of support counts for `end_of_life` rules. Null for other types. */
            support_phase: components["schemas"]["SupportPhase"] | null;
            /** @description Releases younger than this many days are excluded. */
            min_release_age_days: number;
            /** @description Whether the rule is evaluated. Disabling it resolves its alerts. */
            is_active: boolean;
            /** @description Number of alert configurations that use the rule. */
            alert_config_count: number;
            /** @description Number of open alerts of the rule. Disabling the rule resolves them. Enabling it opens new alerts for configurations that still violate it. Deleting it deletes them. */
            open_alert_count: number;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description One page of monitoring rules, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 7,
         *           "name": "Ninety days",
         *           "description": "Nothing in production is older than three months.",
         *           "rule_type": "days_behind",
         *           "thresholds": {
         *             "moderate": 30,
         *             "high": 60,
         *             "critical": 90
         *           },
         *           "stable_only": true,
         *           "days_basis": "deployed_release",
         *           "support_phase": null,
         *           "min_release_age_days": 0,
         *           "is_active": true,
         *           "alert_config_count": 12,
         *           "open_alert_count": 3,
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z",
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListMonitoringRulesResponse: {
            /** @description The monitoring rules of this page. */
            items: components["schemas"]["MonitoringRule"][];
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
         * @description Optional description.
         * @example Everything that faces the internet.
         */
        Description: string;
        /**
         * @description A new monitoring rule.
         * @example {
         *       "name": "Ninety days",
         *       "rule_type": "days_behind",
         *       "thresholds": {
         *         "moderate": 30,
         *         "high": 60,
         *         "critical": 90
         *       }
         *     }
         */
        CreateMonitoringRuleRequest: {
            name: components["schemas"]["Name"];
            /** @default  */
            description?: components["schemas"]["Description"];
            rule_type: components["schemas"]["MonitoringRuleType"];
            thresholds: components["schemas"]["MonitoringThresholds"];
            /**
             * @description Whether to exclude pre-releases from the comparison.
             * @default true
             */
            stable_only?: boolean;
            /** @description Only for rules of type `days_behind`; rejected for others. Default: `first_newer_release`. */
            days_basis?: components["schemas"]["DaysBasis"];
            /** @description Only for rules of type `end_of_life`; rejected for others. Default: `end_of_life`. */
            support_phase?: components["schemas"]["SupportPhase"];
            /**
             * @description Releases younger than this many days are excluded.
             * @default 0
             */
            min_release_age_days?: number;
            /**
             * @description Whether the rule is evaluated.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description Changes to a monitoring rule. Omitted fields keep their values; `thresholds` is replaced completely.
         * @example {
         *       "thresholds": {
         *         "high": 45
         *       }
         *     }
         * @example {
         *       "is_active": false
         *     }
         */
        UpdateMonitoringRuleRequest: {
            name?: components["schemas"]["Name"];
            /** @description Optional description. Null: empty. */
            description?: components["schemas"]["Description"] | null;
            rule_type?: components["schemas"]["MonitoringRuleType"];
            thresholds?: components["schemas"]["MonitoringThresholds"];
            /** @description Whether to exclude pre-releases from the comparison. */
            stable_only?: boolean;
            /** @description Only for rules of type `days_behind`; others reject it. Null is always accepted and changes nothing. */
            days_basis?: components["schemas"]["DaysBasis"] | null;
            /** @description Only for rules of type `end_of_life`; others reject it. Null is always accepted and changes nothing. */
            support_phase?: components["schemas"]["SupportPhase"] | null;
            /** @description Releases younger than this many days are excluded. */
            min_release_age_days?: number;
            /** @description Whether the rule is evaluated. */
            is_active?: boolean;
        };
        /**
         * @description The result of this evaluation. Counts include only this call.
         * @example {
         *       "evaluated": 120,
         *       "alerts_created": 3,
         *       "alerts_updated": 1,
         *       "alerts_escalated": 0,
         *       "alerts_resolved": 2,
         *       "unchanged": 112,
         *       "no_data": 2,
         *       "failed": 0,
         *       "remaining": 0,
         *       "duration_ms": 184
         *     }
         */
        EvaluateRulesResponse: {
            /** @description Alert configurations that were evaluated. */
            evaluated: number;
            /** @description Alerts opened. */
            alerts_created: number;
            /** @description Open alerts updated in place: versions, reason, or a lower severity. */
            alerts_updated: number;
            /** @description Open alerts escalated to a higher severity. */
            alerts_escalated: number;
            /** @description Alerts resolved because the deployed version caught up or the configuration is disabled. */
            alerts_resolved: number;
            /** @description Configurations with no changes. */
            unchanged: number;
            /** @description Configurations without a version or a release to compare. */
            no_data: number;
            /** @description Configurations that couldn't be evaluated because of an internal error. Pacekeeper retries them. */
            failed: number;
            /** @description Configurations left when the time limit of the call (60 s) was reached. They are evaluated next in the background. */
            remaining: number;
            /** @description Duration in milliseconds. */
            duration_ms: number;
        };
        /**
         * @description The values of a monitoring rule to simulate. Name, description, and whether it is active don't affect the result.
         * @example {
         *       "rule_type": "days_behind",
         *       "thresholds": {
         *         "moderate": 30,
         *         "high": 60,
         *         "critical": 90
         *       }
         *     }
         */
        SimulatedRule: {
            name?: components["schemas"]["Name"];
            description?: components["schemas"]["Description"];
            rule_type: components["schemas"]["MonitoringRuleType"];
            thresholds: components["schemas"]["MonitoringThresholds"];
            /**
             * @description Whether to exclude pre-releases from the comparison.
             * @default true
             */
            stable_only?: boolean;
            /** @description Only for rules of type `days_behind`; others reject it. Null or omitted: `first_newer_release`. */
            days_basis?: components["schemas"]["DaysBasis"] | null;
            /** @description Only for rules of type `end_of_life`; others reject it. Null or omitted: `end_of_life`. */
            support_phase?: components["schemas"]["SupportPhase"] | null;
            /**
             * @description Releases younger than this many days are excluded.
             * @default 0
             */
            min_release_age_days?: number;
            /** @description Ignored. */
            is_active?: boolean;
        };
        /**
         * @description A rule, a version, and the source of its releases: a gather job, or a source that no gather job reads yet.
         * @example {
         *       "rule": {
         *         "rule_type": "end_of_life",
         *         "thresholds": {
         *           "moderate": 180,
         *           "critical": 0
         *         }
         *       },
         *       "deployed_version": "14.5",
         *       "source": {
         *         "source_type": "github_releases",
         *         "artifact_name": "github.com/postgres/postgres"
         *       }
         *     }
         */
        PreviewRuleRequest: {
            rule: components["schemas"]["SimulatedRule"];
            /** @description The version to evaluate. */
            deployed_version: string;
            /**
             * Format: int64
             * @description The gather job whose releases are compared. Can't be combined with `source`.
             */
            gather_job_id?: number;
            /** @description A source without a gather job. Pacekeeper doesn't read its releases, so only `end_of_life` and `known_vulnerabilities` rules can have a result. Can't be combined with `gather_job_id`. */
            source?: components["schemas"]["PreviewGatherSourceRequest"];
        };
        /**
         * @description The reason for an alert configuration's state, if the state isn't self-explanatory.
         * @example ahead_of_upstream
         * @enum {string}
         */
        StateReason: "ahead_of_upstream" | "variant_ended" | "numbering_ended" | "resolved_by_hand" | "snoozed" | "no_release" | "lifecycle_only" | "no_version" | "no_candidate" | "not_comparable" | "not_seen_there" | "reference_not_loaded" | "no_lifecycle" | "no_support_date" | "line_unknown" | "end_of_life" | "known_vulnerabilities" | "no_vulnerability_data" | "no_vulnerability_records" | "upstream_silent" | "version_not_found" | "version_unparseable" | "source_failing" | "list_incomplete";
        /**
         * @description How serious an alert is, in ascending order: moderate, high, critical.
         * @example moderate
         * @enum {string}
         */
        AlertSeverity: "moderate" | "high" | "critical";
        /**
         * @description `behind`: newer releases exist. `end_of_life`: support for the deployed version ends soon or has ended. `known_vulnerabilities`: the deployed version has published vulnerabilities. `upstream_silent`: upstream has had no new release for too long. `version_not_found`: the deployed version doesn't exist upstream. `version_unparseable`: the deployed value isn't a valid version.
         * @example behind
         * @enum {string}
         */
        AlertReason: "behind" | "end_of_life" | "known_vulnerabilities" | "upstream_silent" | "version_not_found" | "version_unparseable";
        /**
         * @description Origin of the date. `discovered_at` when the source provides none. `counted_at` for a release in `counted_versions` of the configuration or the gather job: when it was added there. `listed_at` if many releases share a few dates, as after an import or a rebuilt index: the release is at least as old as this date.
         * @example released_at
         * @enum {string}
         */
        ReleaseDateSource: "released_at" | "discovered_at" | "counted_at" | "listed_at";
        /**
         * @description The severity that the source of a vulnerability assigns to it.
         * @example high
         * @enum {string}
         */
        VulnerabilitySeverity: "low" | "moderate" | "high" | "critical";
        /**
         * @description The reasons behind an evaluation. Values don't depend on the current day: days are counted from `behind_since`.
         * @example {
         *       "state": "alerting",
         *       "state_reason": null,
         *       "severity": "moderate",
         *       "reason": "behind",
         *       "rule": {
         *         "rule_type": "days_behind",
         *         "thresholds": {
         *           "moderate": 30,
         *           "high": 60,
         *           "critical": 90
         *         },
         *         "stable_only": true,
         *         "days_basis": "deployed_release",
         *         "min_release_age_days": 0
         *       },
         *       "deployed": {
         *         "version": "v3.1.0",
         *         "match": "exact",
         *         "release": "v3.1.0"
         *       },
         *       "latest": {
         *         "version": "v3.2.1",
         *         "date": "2026-03-01T10:00:00.000Z",
         *         "date_source": "released_at"
         *       },
         *       "candidates": {
         *         "count": 41,
         *         "variant_rule": "own_variant",
         *         "counted": []
         *       },
         *       "date_used": {
         *         "at": "2026-01-29T10:00:00.000Z",
         *         "source": "released_at",
         *         "of": "deployed_release",
         *         "version": "v3.1.0",
         *         "is_estimate": false
         *       },
         *       "behind_by": null,
         *       "behind_since": "2026-01-29T10:00:00.000Z",
         *       "next_change_at": "2026-03-30T10:00:00.000Z",
         *       "left_out": [
         *         {
         *           "reason": "prerelease",
         *           "count": 3,
         *           "examples": [
         *             "v3.3.0-rc1"
         *           ]
         *         }
         *       ]
         *     }
         */
        EvaluationExplanation: {
            /**
             * @description The result of the comparison.
             * @enum {string}
             */
            state: "ok" | "alerting" | "no_data";
            /** @description True if the repository is archived, which always results in the highest severity of an `upstream_silent` rule. Absent otherwise. */
            is_archived?: boolean;
            /** @description The reason. Null when the state is self-explanatory. */
            state_reason: string | null;
            /** @description The resulting severity. Null for none. */
            severity: components["schemas"]["AlertSeverity"] | null;
            /** @description Why it alerts. Null when it doesn't. */
            reason: components["schemas"]["AlertReason"] | null;
            /** @description The rule as applied. */
            rule: {
                rule_type: components["schemas"]["MonitoringRuleType"];
                /** @description The thresholds. Null if the rule has none. */
                thresholds: {
                    /** @description Moderate from this value on. */
                    moderate: number | null;
                    /** @description High from this value on. */
                    high: number | null;
                    /** @description Critical from this value on. */
                    critical: number | null;
                };
                /** @description Whether pre-releases were excluded. */
                stable_only: boolean;
                /** @description Start of the count for days rules. Null for other types. */
                days_basis: components["schemas"]["DaysBasis"] | null;
                /** @description Only for `end_of_life` rules. */
                support_phase?: components["schemas"]["SupportPhase"];
                /** @description Releases younger than this were excluded. */
                min_release_age_days: number;
            };
            /** @description The deployed version and the release it was matched with. */
            deployed: {
                /** @description The deployed version. Null when unknown. */
                version: string | null;
                /**
                 * @description How it was matched: exact string, same version in another spelling, a moving tag that points to the release, a tag that names only a platform, closest lower release, no release, a source that has only a lifecycle and no releases, not a version, or no deployed version.
                 * @enum {string}
                 */
                match: "exact" | "same_version" | "moving_tag" | "platform_tag" | "nearest_lower" | "none" | "no_releases" | "unparseable" | "no_version";
                /** @description The matched release. Null when there is none. */
                release: string | null;
                /** @description The name before the numbers of the releases it is compared with, if that differs from its own. Empty for releases without a name. */
                adopted_line?: string | null;
            };
            /** @description The latest release of the variant, line, or numbering in which the software continues, if that of the deployed version has ended (`variant_ended`, `numbering_ended`). */
            continued_by?: string | null;
            /** @description The highest qualifying release. Null when there is none. */
            latest: {
                /** @description Its version. */
                version: string;
                /**
                 * Format: date-time
                 * @description Its release date.
                 */
                date: string;
                date_source: components["schemas"]["ReleaseDateSource"];
            } | null;
            /** @description An unusually large step up to the latest release, such as from `3.8` to `2024.1`. Null when there is none, or when the deployed version is above it. */
            jump?: {
                /** @description The highest release below the step. */
                from: string;
                /** @description The releases above the step, one for each version, highest first. */
                above: string[];
            } | null;
            /** @description The qualifying releases. */
            candidates: {
                /** @description Number of qualifying releases. */
                count: number;
                /**
                 * @description Releases of the deployed version's variant; if none exist, releases without one; otherwise, all releases.
                 * @enum {string}
                 */
                variant_rule: "own_variant" | "without_suffix" | "all";
                /** @description The highest releases that don't fit the others and qualify only because `counted_versions` of the configuration or the gather job lists them. */
                counted?: string[];
            };
            /** @description The date that days are counted from. Null when there is none. */
            date_used: {
                /**
                 * Format: date-time
                 * @description The date.
                 */
                at: string;
                source: components["schemas"]["ReleaseDateSource"];
                /**
                 * @description The release the date belongs to.
                 * @enum {string}
                 */
                of: "deployed_release" | "nearest_lower_release" | "first_newer_release" | "newest_release";
                /** @description The version of that release. */
                version: string;
                /** @description Whether it replaces an unknown date. */
                is_estimate: boolean;
            } | null;
            /** @description For `end_of_life` rules: support for the deployed version. Null for other rules, and if the product isn't known. */
            lifecycle?: {
                /** @description Name of the product. */
                product: string;
                /** @description Its display name. */
                label: string;
                /** @description The version whose support counts: that of the deployment, or, for charts, that of the application. Null if the release doesn't name it. */
                version: string | null;
                /** @description Its release line. Null if the data has none. */
                line: string | null;
                /** @description The phase whose end counts. Null if no end is known. */
                phase: components["schemas"]["SupportPhase"] | null;
                /**
                 * Format: date
                 * @description The last day of the phase. Null if unknown.
                 */
                ends_on: string | null;
                /** @description Whether the phase has ended, if the day is unknown. Otherwise, null. */
                has_ended: boolean | null;
                /** @description Whether the end is that of `lifecycle_override`. */
                is_paid: boolean;
                /** @description The newest supported release line. Null if none is supported. */
                newest: {
                    /** @description Its name. */
                    line: string;
                    /**
                     * Format: date
                     * @description Its last day. Null if unknown.
                     */
                    ends_on: string | null;
                    /** @description Its latest release. Null if unknown. */
                    latest_version: string | null;
                } | null;
                /**
                 * @description Where the data comes from.
                 * @enum {string}
                 */
                source: "endoflife.date";
                /**
                 * Format: date-time
                 * @description When the data was known to be current. As time passes, data older than 30 days neither opens nor resolves alerts.
                 */
                fetched_at?: string | null;
            } | null;
            /** @description For `known_vulnerabilities` rules: those of the deployed version. Null for other rules, and without data. */
            vulnerabilities?: {
                /** @description The packages that were looked up. */
                packages: components["schemas"]["VulnerabilityPackageName"][];
                /** @description The version that was looked up: the deployed version or, for charts, the version of the application. Null if the release doesn't name it. */
                version: string | null;
                /** @description Number of vulnerabilities that count, by severity. */
                counts: {
                    /** @description Critical ones. */
                    critical: number;
                    /** @description High ones. */
                    high: number;
                    /** @description Moderate ones. */
                    moderate: number;
                    /** @description Low ones. */
                    low: number;
                    /** @description Those without a known severity. They count only for `moderate`. */
                    unknown: number;
                };
                /** @description Number of ignored vulnerabilities. */
                ignored_count: number;
                /** @description The lowest release above the deployed version in which none counts. Null if every release has one, if it isn't among the first 500 above the deployed version, and if none counts in the deployed version. */
                lowest_without: string | null;
                /** @description The worst vulnerabilities that count. */
                findings: {
                    /** @description Its CVE ID. Without one, that of a record. */
                    id: string;
                    /** @description Its other IDs. */
                    aliases: string[];
                    /** @description Its severity. Null if unknown. */
                    severity: components["schemas"]["VulnerabilitySeverity"] | null;
                    /** @description The version that fixes it. Null if unknown. */
                    fixed_in: string | null;
                }[];
                /**
                 * @description Where the data comes from.
                 * @enum {string}
                 */
                source: "OSV";
                /**
                 * Format: date-time
                 * @description When the data was known to be current. As time passes, data older than 30 days neither opens nor resolves alerts.
                 */
                fetched_at?: string | null;
            } | null;
            /** @description Majors or minors behind, or known vulnerabilities. Null for days, which are counted from `behind_since`. */
            behind_by: number | null;
            /**
             * Format: date-time
             * @description Start of the count for days rules.
             */
            behind_since: string | null;
            /**
             * Format: date-time
             * @description When the result changes next if only time passes. Null for never.
             */
            next_change_at: string | null;
            /** @description Why releases were excluded, with up to three examples for each reason. */
            left_out: {
                /**
                 * @description The first reason that applies.
                 * @enum {string}
                 */
                reason: "other_line" | "not_a_version" | "platform_tag" | "moving_tag" | "withdrawn" | "yanked" | "prerelease" | "ignored" | "candidate_pattern" | "outlier" | "other_variant" | "too_young";
                /** @description Number of releases. */
                count: number;
                /** @description The highest of these releases. */
                examples: string[];
            }[];
        };
        /**
         * @description The result that an alert configuration with this rule and deployed version would have now.
         * @example {
         *       "state": "alerting",
         *       "state_reason": null,
         *       "severity": "high",
         *       "behind_by": 2,
         *       "explanation": {
         *         "state": "alerting",
         *         "state_reason": null,
         *         "severity": "high",
         *         "reason": "behind",
         *         "rule": {
         *           "rule_type": "majors_behind",
         *           "thresholds": {
         *             "moderate": null,
         *             "high": 2,
         *             "critical": null
         *           },
         *           "stable_only": true,
         *           "days_basis": null,
         *           "min_release_age_days": 0
         *         },
         *         "deployed": {
         *           "version": "1.0.0",
         *           "match": "exact",
         *           "release": "1.0.0"
         *         },
         *         "latest": {
         *           "version": "3.0.0",
         *           "date": "2026-03-01T00:00:00Z",
         *           "date_source": "released_at"
         *         },
         *         "candidates": {
         *           "count": 12,
         *           "variant_rule": "own_variant"
         *         },
         *         "date_used": null,
         *         "behind_by": 2,
         *         "behind_since": null,
         *         "next_change_at": null,
         *         "left_out": []
         *       }
         *     }
         */
        PreviewRuleResponse: {
            /**
             * @description The result of the comparison.
             * @enum {string}
             */
            state: "ok" | "alerting" | "no_data";
            /** @description The reason for the state. Null when the state is self-explanatory. */
            state_reason: components["schemas"]["StateReason"] | null;
            /** @description The severity of the alert. Null for none. */
            severity: components["schemas"]["AlertSeverity"] | null;
            /** @description How far behind, in the unit of the rule type. Null if it can't be counted. */
            behind_by: number | null;
            explanation: components["schemas"]["EvaluationExplanation"];
        };
        /**
         * @description A condition on an alert label. A missing label counts as an empty string. `=` and `!=` compare the whole value; `=~` and `!~` match an RE2 pattern against the whole value.
         * @example {
         *       "label": "team",
         *       "operator": "=~",
         *       "value": "platform|payments"
         *     }
         */
        LabelMatcher: {
            label: components["schemas"]["LabelKey"];
            /**
             * @description Comparison operator.
             * @enum {string}
             */
            operator: "=" | "!=" | "=~" | "!~";
            /** @description Value or pattern. */
            value: string;
        };
        /**
         * @description How many days to simulate, up to now.
         * @example 180
         */
        SimulatedDays: number;
        /**
         * @description What to simulate: the values in `rule`, or the stored rule `rule_id`. With both, the values are simulated and compared with the stored rule. The alert configurations are those in `alert_config_ids`, those that `label_matchers` match, or all that use `rule_id`; without any of these, all of the organization, each comparison once.
         * @example {
         *       "rule": {
         *         "rule_type": "majors_behind",
         *         "thresholds": {
         *           "high": 1
         *         }
         *       }
         *     }
         * @example {
         *       "rule_id": 7,
         *       "rule": {
         *         "rule_type": "days_behind",
         *         "thresholds": {
         *           "high": 45
         *         }
         *       },
         *       "days": 90
         *     }
         */
        SimulateRuleRequest: {
            rule?: components["schemas"]["SimulatedRule"];
            /**
             * Format: int64
             * @description A stored rule.
             */
            rule_id?: number;
            /** @description The alert configurations to simulate. */
            alert_config_ids?: number[];
            /** @description Label conditions on alert configurations. All must match. */
            label_matchers?: components["schemas"]["LabelMatcher"][];
            /** @default 180 */
            days?: components["schemas"]["SimulatedDays"];
        };
        /**
         * @description How many alerts there would have been.
         * @example {
         *       "alerts": 14,
         *       "escalations": 6,
         *       "things": 9,
         *       "open_at_start": 2,
         *       "open_at_end": 3
         *     }
         */
        SimulationTotals: {
            /** @description Alerts that would have been opened. */
            alerts: number;
            /** @description How often an alert would have escalated. */
            escalations: number;
            /** @description Alert configurations with at least one alert that would have been opened. */
            things: number;
            /** @description Further alerts that would already have been open when the simulated time starts. */
            open_at_start: number;
            /** @description Of all these alerts, those that would be open now. */
            open_at_end: number;
        };
        /**
         * @description An alert that a simulated rule would have opened.
         * @example {
         *       "alert_config": {
         *         "id": 5,
         *         "name": "Traefik in production"
         *       },
         *       "opened_at": "2026-02-03T11:00:00.000Z",
         *       "is_open_at_start": false,
         *       "severity": "moderate",
         *       "escalations": [
         *         {
         *           "at": "2026-03-05T11:00:00.000Z",
         *           "severity": "high"
         *         }
         *       ],
         *       "resolved_at": "2026-03-20T08:15:00.000Z",
         *       "discovered_version": "3.1.0",
         *       "latest_version": "3.3.2"
         *     }
         */
        SimulatedAlert: {
            /** @description Its alert configuration; null for one that isn't stored. */
            alert_config: components["schemas"]["NamedReference"] | null;
            /**
             * Format: date-time
             * @description When it would have been opened; the start of the simulated time if it was open then.
             */
            opened_at: string;
            /** @description Whether it was opened before the simulated time. */
            is_open_at_start: boolean;
            /** @description Severity when it was opened. */
            severity: components["schemas"]["AlertSeverity"];
            /** @description When its severity rose. */
            escalations: {
                /**
                 * Format: date-time
                 * @description Time of the escalation.
                 */
                at: string;
                severity: components["schemas"]["AlertSeverity"];
            }[];
            /**
             * Format: date-time
             * @description When it would have been resolved; null if it would be open now.
             */
            resolved_at: string | null;
            /** @description Deployed version: when it was resolved, or now. */
            discovered_version: string;
            /** @description Latest release that counts: when it was resolved, or now. */
            latest_version: string | null;
        };
        /**
         * @description The alerts that a rule would have opened, from replaying stored releases and deployed versions. Nothing is written or sent.
         * @example {
         *       "from": "2026-01-13T09:30:00.000Z",
         *       "to": "2026-07-12T09:30:00.000Z",
         *       "basis": "stored_dates",
         *       "configs": 120,
         *       "evaluated": 118,
         *       "left_out": [
         *         {
         *           "reason": "no_history",
         *           "count": 2
         *         }
         *       ],
         *       "known_from": "2026-01-13T09:30:00.000Z",
         *       "partly_known": 4,
         *       "totals": {
         *         "alerts": 1,
         *         "escalations": 1,
         *         "things": 1,
         *         "open_at_start": 0,
         *         "open_at_end": 0
         *       },
         *       "by_severity": {
         *         "moderate": 0,
         *         "high": 1,
         *         "critical": 0
         *       },
         *       "by_day": [
         *         {
         *           "date": "2026-01-13",
         *           "opened": 0,
         *           "escalated": 0,
         *           "resolved": 0,
         *           "open": 0
         *         }
         *       ],
         *       "messages": [
         *         {
         *           "channel_id": 2,
         *           "name": "Operations",
         *           "count": 3
         *         }
         *       ],
         *       "compared_with": {
         *         "rule_id": 7,
         *         "alert_config_id": null,
         *         "totals": {
         *           "alerts": 31,
         *           "escalations": 12,
         *           "things": 20,
         *           "open_at_start": 2,
         *           "open_at_end": 5
         *         }
         *       },
         *       "items": [
         *         {
         *           "alert_config": {
         *             "id": 5,
         *             "name": "Traefik in production"
         *           },
         *           "opened_at": "2026-02-03T11:00:00.000Z",
         *           "is_open_at_start": false,
         *           "severity": "moderate",
         *           "escalations": [
         *             {
         *               "at": "2026-03-05T11:00:00.000Z",
         *               "severity": "high"
         *             }
         *           ],
         *           "resolved_at": "2026-03-20T08:15:00.000Z",
         *           "discovered_version": "3.1.0",
         *           "latest_version": "3.3.2"
         *         }
         *       ],
         *       "total": 1,
         *       "is_complete": true
         *     }
         */
        SimulationResult: {
            /**
             * Format: date-time
             * @description Start of the simulated time.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the simulated time: now.
             */
            to: string;
            /**
             * @description `stored_dates`: a release exists from its release date, or from when it was first seen if the source reports none. Flags such as withdrawn or pre-release are the current ones. Acknowledgments, snoozes, and manual resolutions aren't replayed.
             * @enum {string}
             */
            basis: "stored_dates";
            /** @description Alert configurations that were selected. */
            configs: number;
            /** @description Alert configurations that were simulated. */
            evaluated: number;
            /** @description Alert configurations that weren't simulated, by reason. */
            left_out: {
                /**
                 * @description `not_found`: no configuration has this ID. `inactive`: the configuration is disabled, or its software is no longer deployed. `no_history`: no deployed version is known. `no_data`: the rule can't be evaluated at any time of the simulation, because its reference data isn't loaded or has nothing about the software, or because the source has no releases; the state of the configuration says which. `duplicate`: identical to another one. `limit`: beyond 10 seconds or the setting `limits.simulated_configs`.
                 * @enum {string}
                 */
                reason: "not_found" | "inactive" | "no_history" | "no_data" | "duplicate" | "limit";
                /** @description How many. */
                count: number;
            }[];
            /**
             * Format: date-time
             * @description Time from which deployed versions are known; later than `from` if the history of all configurations starts later. Null if nothing was simulated.
             */
            known_from: string | null;
            /** @description Simulated configurations whose deployed versions are known only from a time after `from`. */
            partly_known: number;
            totals: components["schemas"]["SimulationTotals"];
            /** @description Alerts that would have been opened, by the highest severity that they reached. */
            by_severity: {
                /** @description Moderate alerts. */
                moderate: number;
                /** @description High alerts. */
                high: number;
                /** @description Critical alerts. */
                critical: number;
            };
            /** @description Each day (UTC) of the simulated time. */
            by_day: {
                /**
                 * Format: date
                 * @description The day.
                 */
                date: string;
                /** @description Alerts opened on this day. */
                opened: number;
                /** @description Escalations on this day. */
                escalated: number;
                /** @description Alerts resolved on this day. */
                resolved: number;
                /** @description Alerts open at the end of the day. */
                open: number;
            }[];
            /** @description Messages that each channel would have received about opened, escalated, and resolved alerts, with the current notification rules, most first. A digest is one message; reminders aren't included. */
            messages: {
                /**
                 * Format: int64
                 * @description ID of the channel.
                 */
                channel_id: number;
                /** @description Its name. */
                name: string;
                /** @description Number of messages. */
                count: number;
            }[];
            /** @description The same for the stored rule or configuration; null if the request has only one of the two. */
            compared_with: {
                /**
                 * Format: int64
                 * @description The stored rule.
                 */
                rule_id: number | null;
                /**
                 * Format: int64
                 * @description The stored configuration.
                 */
                alert_config_id: number | null;
                totals: components["schemas"]["SimulationTotals"];
            } | null;
            /** @description Alerts, at most 200, the most recently opened first. */
            items: components["schemas"]["SimulatedAlert"][];
            /** @description Total number of alerts. */
            total: number;
            /** @description False if 10 seconds or the setting `limits.simulated_configs` cut the simulation short. */
            is_complete: boolean;
        };
        /**
         * @description A label as `key=value`.
         * @example team=platform
         */
        LabelFilter: string;
        /**
         * @description A threshold that an alert configuration crosses if nothing is upgraded.
         * @example {
         *       "at": "2026-03-30T10:12:00.000Z",
         *       "severity": "high",
         *       "current_severity": "moderate",
         *       "alert_config": {
         *         "id": 31,
         *         "name": "Traefik in production"
         *       },
         *       "rule": {
         *         "id": 7,
         *         "name": "Ninety days"
         *       },
         *       "artifact_name": "github.com/traefik/traefik",
         *       "deployed_version": "v3.1.2",
         *       "latest_version": "v3.3.4"
         *     }
         */
        ForecastCrossing: {
            /**
             * Format: date-time
             * @description When the threshold is crossed.
             */
            at: string;
            /** @description Severity that it reaches. */
            severity: components["schemas"]["AlertSeverity"];
            /** @description Severity now; null within all thresholds. */
            current_severity: components["schemas"]["AlertSeverity"] | null;
            /** @description The alert configuration. */
            alert_config: components["schemas"]["NamedReference"];
            /** @description Its monitoring rule. */
            rule: components["schemas"]["NamedReference"];
            /** @description Name of the artifact upstream. */
            artifact_name: string;
            /** @description Deployed version. */
            deployed_version: string;
            /** @description Latest release that counts at that time. */
            latest_version: string | null;
        };
        /**
         * @description Thresholds that are crossed because time passes, if nothing is upgraded and no new release appears, soonest first. An alert configuration appears once for each severity that it reaches.
         * @example {
         *       "from": "2026-03-15T09:30:00.000Z",
         *       "to": "2026-04-14T09:30:00.000Z",
         *       "things": 1,
         *       "no_data": 0,
         *       "by_severity": {
         *         "moderate": 0,
         *         "high": 1,
         *         "critical": 0
         *       },
         *       "by_day": [
         *         {
         *           "date": "2026-03-15",
         *           "moderate": 0,
         *           "high": 0,
         *           "critical": 0
         *         }
         *       ],
         *       "is_complete": true,
         *       "items": [
         *         {
         *           "at": "2026-03-30T10:12:00.000Z",
         *           "severity": "high",
         *           "current_severity": "moderate",
         *           "alert_config": {
         *             "id": 31,
         *             "name": "Traefik in production"
         *           },
         *           "rule": {
         *             "id": 7,
         *             "name": "Ninety days"
         *           },
         *           "artifact_name": "github.com/traefik/traefik",
         *           "deployed_version": "v3.1.2",
         *           "latest_version": "v3.3.4"
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        Forecast: {
            /**
             * Format: date-time
             * @description Now.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the forecast.
             */
            to: string;
            /** @description Alert configurations that cross at least one threshold. */
            things: number;
            /** @description Alert configurations in the state `no_data`, which can't be forecast. Their `state_reason` says which data is missing. At most 10,000 are counted. */
            no_data: number;
            /** @description Crossings by the severity that is reached. */
            by_severity: {
                /** @description Crossings to moderate. */
                moderate: number;
                /** @description Crossings to high. */
                high: number;
                /** @description Crossings to critical. */
                critical: number;
            };
            /** @description Each day (UTC) of the forecast, by the severity that is reached. */
            by_day: {
                /**
                 * Format: date
                 * @description The day.
                 */
                date: string;
                /** @description Crossings to moderate. */
                moderate: number;
                /** @description Crossings to high. */
                high: number;
                /** @description Crossings to critical. */
                critical: number;
            }[];
            /** @description Whether all alert configurations that change were included. Limits are 10,000 configurations and 10 seconds. */
            is_complete: boolean;
            /** @description The crossings of this page, soonest first. */
            items: components["schemas"]["ForecastCrossing"][];
            /** @description Total number of crossings. */
            total: number;
            /** @description The same as `is_complete`. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description A calendar of the forecast.
         * @example {
         *       "url": "https://pacekeeper.example.com/calendar/5d0c2f1e.2eimtxd.eyJvIjoyfQ.h9Zk.ics"
         *     }
         */
        ForecastCalendar: {
            /**
             * Format: uri
             * @description URL of the calendar.
             */
            url: string;
        };
        /**
         * @description When support ends for a deployed version.
         * @example {
         *       "scrape_job": {
         *         "id": 7,
         *         "name": "Orders database"
         *       },
         *       "gather_job": {
         *         "id": 42,
         *         "name": "PostgreSQL image"
         *       },
         *       "alert_config_ids": [
         *         31
         *       ],
         *       "deployed_version": "14.2",
         *       "product": "postgresql",
         *       "label": "PostgreSQL",
         *       "line": "14",
         *       "ends_on": "2026-11-12",
         *       "ends_at": "2026-11-13T00:00:00.000Z",
         *       "has_ended": false,
         *       "days_left": 243,
         *       "is_paid": false,
         *       "newest": {
         *         "line": "18",
         *         "ends_on": "2030-11-14",
         *         "latest_version": "18.1"
         *       }
         *     }
         */
        SupportEnd: {
            /** @description Where it is deployed. */
            scrape_job: components["schemas"]["NamedReference"];
            /** @description The upstream source that has the lifecycle. */
            gather_job: components["schemas"]["NamedReference"];
            /** @description The alert configurations that compare the two. */
            alert_config_ids: number[];
            /** @description Deployed version. */
            deployed_version: string;
            /** @description Name of the lifecycle product. */
            product: string;
            /** @description Title of the lifecycle product. */
            label: string;
            /** @description The release line of the deployed version. */
            line: string;
            /**
             * Format: date
             * @description The last day of support, or of paid support. Null if it isn't known.
             */
            ends_on: string | null;
            /**
             * Format: date-time
             * @description The first instant after the support. Null if the day isn't known.
             */
            ends_at: string | null;
            /** @description Whether support has ended. */
            has_ended: boolean;
            /** @description Days until the end: 0 from then on, then negative. Null if the day isn't known. */
            days_left: number | null;
            /** @description Whether it is the end of paid support (`lifecycle_override`). */
            is_paid: boolean;
            /** @description The newest supported release line. Null if none is. */
            newest: {
                /** @description Its name. */
                line: string;
                /**
                 * Format: date
                 * @description Its last day of support. Null if unknown.
                 */
                ends_on: string | null;
                /** @description Its newest version. Null if unknown. */
                latest_version: string | null;
            } | null;
        };
        /**
         * @description When support ends for deployed versions.
         * @example {
         *       "from": "2026-03-15T09:30:00.000Z",
         *       "is_complete": true,
         *       "unknown": [
         *         {
         *           "reason": "no_lifecycle",
         *           "count": 3
         *         }
         *       ],
         *       "items": [
         *         {
         *           "scrape_job": {
         *             "id": 7,
         *             "name": "Orders database"
         *           },
         *           "gather_job": {
         *             "id": 42,
         *             "name": "PostgreSQL image"
         *           },
         *           "alert_config_ids": [
         *             31
         *           ],
         *           "deployed_version": "14.2",
         *           "product": "postgresql",
         *           "label": "PostgreSQL",
         *           "line": "14",
         *           "ends_on": "2026-11-12",
         *           "ends_at": "2026-11-13T00:00:00.000Z",
         *           "has_ended": false,
         *           "days_left": 243,
         *           "is_paid": false,
         *           "newest": {
         *             "line": "18",
         *             "ends_on": "2030-11-14",
         *             "latest_version": "18.1"
         *           }
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        Support: {
            /**
             * Format: date-time
             * @description Time of the request.
             */
            from: string;
            /** @description Whether all alert configurations were included. The limit is 10,000. */
            is_complete: boolean;
            /** @description Deployed versions that aren't in the list because their end of support isn't known, by reason. The parameter `days` doesn't affect these counts. */
            unknown: {
                /**
                 * @description `reference_not_loaded`: no end-of-support dates were ever loaded; see `GET /reference-sources`. `no_lifecycle`: the product, or the application version of a chart, isn't known; set `lifecycle_product` of the gather job. `no_support_date`: the data has no date for this version. `line_unknown`: the version is newer than every release line in the data. `not_comparable`: the deployed text isn't a version.
                 * @enum {string}
                 */
                reason: "reference_not_loaded" | "no_lifecycle" | "no_support_date" | "line_unknown" | "not_comparable";
                /** @description Number of pairs of a scrape job and a gather job. */
                count: number;
            }[];
            /** @description The dates of this page. */
            items: components["schemas"]["SupportEnd"][];
            /** @description Total number of dates. */
            total: number;
            /** @description The same as `is_complete`. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description Status of an alert. Open alerts are unacknowledged or acknowledged.
         * @example unacknowledged
         * @enum {string}
         */
        AlertStatus: "unacknowledged" | "acknowledged" | "resolved";
        /**
         * @description Labels of the alert configuration, and those that it inherits from its scrape job because it has no label with that key. Notification rules match on them and templates show them.
         * @example {
         *       "team": "payments",
         *       "environment": "production"
         *     }
         */
        EffectiveLabels: {
            [key: string]: string;
        };
        /**
         * @description An active silence that matches an alert.
         * @example {
         *       "id": 4,
         *       "reason": "Database maintenance",
         *       "ends_at": "2026-03-15T12:00:00.000Z"
         *     }
         */
        AlertSilence: {
            /**
             * Format: int64
             * @description ID of the silence.
             */
            id: number;
            /** @description Why the alert is silenced. */
            reason: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            ends_at: string;
        };
        /**
         * @description How an alert was resolved. `caught_up`: no longer behind. `manual`: resolved by a person. `disabled`: its rule or configuration was disabled. `reconfigured`: its configuration changed. `gone`: its deployment was removed. `replaced`: another artifact was deployed in its place.
         * @example caught_up
         * @enum {string}
         */
        AlertResolution: "caught_up" | "manual" | "disabled" | "reconfigured" | "gone" | "replaced";
        /**
         * @description Paid support. It counts if it ends later than support for the release line.
         * @example {
         *       "ends_on": "2028-06-30",
         *       "note": "Contract 4711"
         *     }
         */
        LifecycleOverride: {
            /**
             * Format: date
             * @description Its last day.
             */
            ends_on: string;
            /**
             * @description Such as the contract.
             * @default
             */
            note?: string;
        };
        /**
         * @description A vulnerability that doesn't count for an alert configuration.
         * @example {
         *       "id": "CVE-2026-1234",
         *       "until": "2026-12-31T00:00:00.000Z",
         *       "note": "The module isn't enabled"
         *     }
         */
        IgnoredVulnerability: {
            /** @description Its ID or one of its aliases. */
            id: string;
            /**
             * Format: date-time
             * @description When it counts again. Null for never.
             */
            until: string | null;
            /** @description Why it's ignored. */
            note: string;
        };
        /**
         * @description `ok`: within the thresholds. `alerting`: beyond a threshold. `no_data`: not enough data to evaluate. `stale`: the gather job or scrape job hasn't succeeded for too long. `inactive`: the configuration or its rule is disabled.
         * @example ok
         * @enum {string}
         */
        AlertConfigState: "ok" | "alerting" | "no_data" | "stale" | "inactive";
        /**
         * @description Compares a scrape job with a gather job using a rule, and reports the result.
         * @example {
         *       "id": 31,
         *       "name": "Traefik in production",
         *       "scrape_job_id": 4,
         *       "gather_job_id": 9,
         *       "rule_id": 7,
         *       "scrape_job": {
         *         "id": 4,
         *         "name": "Traefik, production"
         *       },
         *       "gather_job": {
         *         "id": 9,
         *         "name": "Traefik releases"
         *       },
         *       "rule": {
         *         "id": 7,
         *         "name": "Ninety days"
         *       },
         *       "rule_type": "days_behind",
         *       "labels": {
         *         "team": "platform"
         *       },
         *       "effective_labels": {
         *         "environment": "production",
         *         "team": "platform"
         *       },
         *       "candidate_pattern": null,
         *       "ordinal": 0,
         *       "ignored_versions": [],
         *       "counted_versions": [],
         *       "lifecycle_override": null,
         *       "ignored_vulnerabilities": [],
         *       "is_active": true,
         *       "state": "alerting",
         *       "state_reason": null,
         *       "severity": "moderate",
         *       "deployed_version": "v3.1.2",
         *       "latest_version": "v3.3.4",
         *       "latest_stable_version": "v3.3.4",
         *       "unaffected_version": null,
         *       "behind_by": 45,
         *       "behind_since": "2026-01-29T10:12:00.000Z",
         *       "ends_at": null,
         *       "days_left": null,
         *       "crossed_at": "2026-02-28T10:12:00.000Z",
         *       "last_evaluated_at": "2026-03-15T09:30:00.000Z",
         *       "next_evaluation_at": "2026-03-30T10:12:00.000Z",
         *       "active_alert_id": 88,
         *       "open_alert_count": 1,
         *       "managed_by": null,
         *       "edited_fields": [],
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 3
         *     }
         */
        AlertConfig: {
            /**
             * Format: int64
             * @description ID of the alert configuration.
             */
            id: number;
            /** @description Name of the alert configuration. */
            name: string;
            /**
             * Format: int64
             * @description The scrape job that provides the deployed version.
             */
            scrape_job_id: number;
            /**
             * Format: int64
             * @description The gather job that provides the releases.
             */
            gather_job_id: number;
            /**
             * Format: int64
             * @description The monitoring rule that compares them.
             */
            rule_id: number;
            /** @description The scrape job. */
            scrape_job: components["schemas"]["NamedReference"];
            /** @description The gather job. */
            gather_job: components["schemas"]["NamedReference"];
            /** @description The rule. */
            rule: components["schemas"]["NamedReference"];
            /** @description The type of the rule. */
            rule_type: components["schemas"]["MonitoringRuleType"];
            labels: components["schemas"]["Labels"];
            effective_labels: components["schemas"]["EffectiveLabels"];
            /** @description RE2 pattern. Only releases whose version matches are compared. Null: all. */
            candidate_pattern: string | null;
            /** @description Distinguishes configurations that compare the same scrape job, gather job, rule, and `candidate_pattern`. Usually 0. */
            ordinal: number;
            /** @description Releases to ignore, by version. */
            ignored_versions: string[];
            /** @description Releases to compare even though they don't fit the others (`outlier` in the explanation), by version. Days behind are counted from when the release was added. */
            counted_versions: string[];
            /** @description Paid support. Null for none. */
            lifecycle_override: components["schemas"]["LifecycleOverride"] | null;
            /** @description Vulnerabilities that don't count. */
            ignored_vulnerabilities: components["schemas"]["IgnoredVulnerability"][];
            /** @description Whether it is evaluated. */
            is_active: boolean;
            state: components["schemas"]["AlertConfigState"];
            /** @description The reason for the state. Null when the state is self-explanatory. */
            state_reason: components["schemas"]["StateReason"] | null;
            /** @description Severity from the last evaluation. Null when within the thresholds. */
            severity: components["schemas"]["AlertSeverity"] | null;
            /** @description The deployed version, after the version transform. */
            deployed_version: string | null;
            /** @description The highest version among the compared releases. */
            latest_version: string | null;
            /** @description The highest stable version among the compared releases. */
            latest_stable_version: string | null;
            /** @description For `known_vulnerabilities` rules: the lowest release above the deployed version in which no vulnerability counts. Null for other rules, if every release has one, and if none counts in the deployed version. */
            unaffected_version: string | null;
            /** @description Days, majors, or minors behind, or known vulnerabilities, depending on the rule type. Days are counted at the time of the response. Null when unknown. */
            behind_by: number | null;
            /**
             * Format: date-time
             * @description Start of the count for days rules. Null when it isn't behind, when unknown, and for other rule types.
             */
            behind_since: string | null;
            /**
             * Format: date-time
             * @description For `end_of_life` rules: the first instant after support for the deployed version ends. Null for other rules, and if the day isn't known.
             */
            ends_at: string | null;
            /** @description For `end_of_life` rules: days until `ends_at`, counted at the time of the response. 0 or less: it has ended. Null without `ends_at`. */
            days_left: number | null;
            /**
             * Format: date-time
             * @description When the `severity` threshold was crossed. Null within the thresholds.
             */
            crossed_at: string | null;
            /**
             * Format: date-time
             * @description When it was last evaluated.
             */
            last_evaluated_at: string | null;
            /**
             * Format: date-time
             * @description When the result changes next if only time passes. Null if it won't.
             */
            next_evaluation_at: string | null;
            /**
             * Format: int64
             * @description Its open alert.
             */
            active_alert_id: number | null;
            /** @description Number of open alerts: 1 or 0. Disabling the configuration resolves its alert, and enabling it opens another one if it's still behind; deleting it deletes its alerts. */
            open_alert_count: number;
            /** @description The discovery job that created the alert configuration for a discovered item. The alert configuration follows the item, except for the fields in `edited_fields`. Null if no discovery job created it. */
            managed_by: components["schemas"]["NamedReference"] | null;
            /** @description Fields that someone changed, so that they no longer follow the discovered item. */
            edited_fields: ("name" | "rule_id" | "gather_job_id" | "is_active")[];
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description How a channel sends: `webhook` posts to a URL, `email` sends to addresses through the operator's mail server. `github_issues`, `gitlab_issues`, and `jira` create a ticket for each alert and close it when the alert is resolved.
         * @example email
         * @enum {string}
         */
        NotificationChannelType: "webhook" | "email" | "github_issues" | "gitlab_issues" | "jira";
        /**
         * @description State of a ticket as Pacekeeper knows it. `open`: it was created. `closed`: Pacekeeper or someone else closed it. `missing`: it was deleted, or moved to where the token can't see it. People can change it in the tracker at any time.
         * @example open
         * @enum {string}
         */
        AlertTicketState: "open" | "closed" | "missing";
        /**
         * @description The ticket of an alert in an issue tracker.
         * @example {
         *       "channel_id": 2,
         *       "channel_name": "Platform issues",
         *       "channel_type": "github_issues",
         *       "key": "acme/platform#12",
         *       "url": "https://github.com/acme/platform/issues/12",
         *       "state": "open",
         *       "created_at": "2026-03-15T08:00:02.000Z",
         *       "closed_at": null
         *     }
         */
        AlertTicket: {
            /**
             * Format: int64
             * @description ID of the channel that created it. Null if the channel was deleted.
             */
            channel_id: number | null;
            /** @description Name of the channel. */
            channel_name: string;
            channel_type: components["schemas"]["NotificationChannelType"];
            /** @description How the tracker names it, such as `acme/platform#12` or `OPS-7`. */
            key: string;
            /** @description Its page. */
            url: string;
            state: components["schemas"]["AlertTicketState"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When Pacekeeper closed it, or found it closed.
             */
            closed_at: string | null;
        };
        /**
         * @description A deployed version that has fallen behind. A configuration has at most one open alert, which is updated in place. The last four fields are present only in the response for a single alert (`GET /alerts/{id}`).
         * @example {
         *       "id": 88,
         *       "alert_config_id": 31,
         *       "alert_config_name": "Traefik in production",
         *       "rule_id": 7,
         *       "rule_name": "Ninety days",
         *       "rule_type": "days_behind",
         *       "severity": "moderate",
         *       "status": "acknowledged",
         *       "reason": "behind",
         *       "discovered_version": "v3.1.2",
         *       "latest_version": "v3.3.4",
         *       "behind_by": 45,
         *       "ends_at": null,
         *       "days_left": null,
         *       "crossed_at": "2026-02-28T10:12:00.000Z",
         *       "is_estimate": false,
         *       "artifact_name": "github.com/traefik/traefik",
         *       "repository_url": "https://git.example/platform/deploy.git",
         *       "target_file": "traefik/values.yaml",
         *       "release_url": "https://github.com/traefik/traefik/releases/tag/v3.3.4",
         *       "labels": {
         *         "team": "platform"
         *       },
         *       "assignee": null,
         *       "acknowledged_at": "2026-03-15T09:30:00.000Z",
         *       "acknowledged_by": {
         *         "type": "user",
         *         "id": 3,
         *         "name": "Dana"
         *       },
         *       "escalated_at": null,
         *       "snoozed_until": null,
         *       "snoozed_until_version_changes": false,
         *       "silence": null,
         *       "resolved_at": null,
         *       "resolved_by": null,
         *       "resolution": null,
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T09:30:00.000Z"
         *     }
         */
        Alert: {
            /**
             * Format: int64
             * @description ID of the alert.
             */
            id: number;
            /**
             * Format: int64
             * @description The alert configuration that opened it.
             */
            alert_config_id: number;
            /** @description Name of the alert configuration. */
            alert_config_name: string;
            /**
             * Format: int64
             * @description The rule it violates.
             */
            rule_id: number;
            /** @description Name of the rule. */
            rule_name: string;
            rule_type: components["schemas"]["MonitoringRuleType"];
            severity: components["schemas"]["AlertSeverity"];
            status: components["schemas"]["AlertStatus"];
            reason: components["schemas"]["AlertReason"];
            /** @description The deployed version. */
            discovered_version: string;
            /** @description The highest version among the compared releases. */
            latest_version: string | null;
            /** @description Days, majors, or minors behind, or known vulnerabilities, depending on `rule_type`. For an open alert, days are counted at the time of the response. Null when unknown. */
            behind_by: number | null;
            /**
             * Format: date-time
             * @description For `end_of_life` rules: the first instant after support for the deployed version ends. Null for other rules, and if the day isn't known.
             */
            ends_at: string | null;
            /** @description For `end_of_life` rules: days until `ends_at`, counted at the time of the response or when the alert was resolved. 0 or less: it has ended. Null without `ends_at`. */
            days_left: number | null;
            /**
             * Format: date-time
             * @description When the severity threshold was crossed. `days_behind` and `upstream_silent`: for a threshold of N days, N days after the count began. `end_of_life`: N days before support ends. `majors_behind` and `minors_behind`: when the release that reached the count was published, plus `min_release_age_days`. Otherwise, such as for known vulnerabilities: when Pacekeeper found the problem.
             */
            crossed_at: string;
            /** @description Whether a date is estimated. */
            is_estimate: boolean;
            /** @description The upstream artifact. */
            artifact_name: string;
            /** @description The repository that contains the deployed version. Null for manual scrape jobs. */
            repository_url: string | null;
            /** @description The file in the repository. Null for manual scrape jobs. */
            target_file: string | null;
            /** @description URL of the latest release (`http` or `https`). */
            release_url: string | null;
            labels: components["schemas"]["EffectiveLabels"];
            /** @description The member it is assigned to. Null if it is unassigned. */
            assignee: components["schemas"]["NamedReference"] | null;
            /**
             * Format: date-time
             * @description When it was acknowledged.
             */
            acknowledged_at: string | null;
            /** @description The actor who acknowledged it. */
            acknowledged_by: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When its severity last increased.
             */
            escalated_at: string | null;
            /**
             * Format: date-time
             * @description End of the snooze. Until then, only escalation and resolution send notifications.
             */
            snoozed_until: string | null;
            /** @description Whether a change of the deployed or latest version ends its snooze. With `snoozed_until`, whichever comes first. */
            snoozed_until_version_changes: boolean;
            /** @description The active silence that matches it, if it's open; of several, the one that ends last. Null if none does. Until it ends, only the resolution of an alert that was reported sends a notification. */
            silence: components["schemas"]["AlertSilence"] | null;
            /**
             * Format: date-time
             * @description When it was resolved.
             */
            resolved_at: string | null;
            /** @description Who resolved it. Type `system` when it was resolved automatically. */
            resolved_by: components["schemas"]["Actor"] | null;
            /** @description How it was resolved. Null while open. */
            resolution: components["schemas"]["AlertResolution"] | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            /** @description Only for a single alert: its full configuration. */
            alert_config?: components["schemas"]["AlertConfig"];
            /** @description Only for a single alert: its full rule. */
            rule?: components["schemas"]["MonitoringRule"];
            /** @description Only for a single alert: its full scrape job. */
            scrape_job?: components["schemas"]["ScrapeJob"];
            /** @description Only for a single alert: its full gather job. */
            gather_job?: components["schemas"]["GatherJob"];
            /** @description Only for a single alert: its tickets, oldest first. */
            tickets?: components["schemas"]["AlertTicket"][];
        };
        /**
         * @description One page of alerts.
         * @example {
         *       "items": [
         *         {
         *           "id": 88,
         *           "alert_config_id": 31,
         *           "alert_config_name": "Traefik in production",
         *           "rule_id": 7,
         *           "rule_name": "Ninety days",
         *           "rule_type": "days_behind",
         *           "severity": "moderate",
         *           "status": "acknowledged",
         *           "reason": "behind",
         *           "discovered_version": "v3.1.2",
         *           "latest_version": "v3.3.4",
         *           "behind_by": 45,
         *           "ends_at": null,
         *           "days_left": null,
         *           "crossed_at": "2026-02-28T10:12:00.000Z",
         *           "is_estimate": false,
         *           "artifact_name": "github.com/traefik/traefik",
         *           "repository_url": "https://git.example/platform/deploy.git",
         *           "target_file": "traefik/values.yaml",
         *           "release_url": "https://github.com/traefik/traefik/releases/tag/v3.3.4",
         *           "labels": {
         *             "team": "platform"
         *           },
         *           "assignee": null,
         *           "acknowledged_at": "2026-03-15T09:30:00.000Z",
         *           "acknowledged_by": {
         *             "type": "user",
         *             "id": 3,
         *             "name": "Dana"
         *           },
         *           "escalated_at": null,
         *           "snoozed_until": null,
         *           "snoozed_until_version_changes": false,
         *           "silence": null,
         *           "resolved_at": null,
         *           "resolved_by": null,
         *           "resolution": null,
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T09:30:00.000Z"
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListAlertsResponse: {
            /** @description The alerts of this page. */
            items: components["schemas"]["Alert"][];
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
         * @description Counts by severity.
         * @example {
         *       "moderate": 4,
         *       "high": 2,
         *       "critical": 1
         *     }
         */
        AlertSeverityCounts: {
            /** @description Number of moderate alerts. */
            moderate: number;
            /** @description Number of high alerts. */
            high: number;
            /** @description Number of critical alerts. */
            critical: number;
        };
        /**
         * @description Counts of the alerts of the organization by status and severity.
         * @example {
         *       "open": 7,
         *       "unacknowledged": 5,
         *       "acknowledged": 2,
         *       "resolved": 40,
         *       "by_severity": {
         *         "moderate": 4,
         *         "high": 2,
         *         "critical": 1
         *       },
         *       "unacknowledged_by_severity": {
         *         "moderate": 3,
         *         "high": 2,
         *         "critical": 0
         *       }
         *     }
         */
        AlertSummary: {
            /** @description Open alerts: unacknowledged and acknowledged ones. */
            open: number;
            /** @description Open alerts that no one acknowledged. */
            unacknowledged: number;
            /** @description Open alerts that someone acknowledged. */
            acknowledged: number;
            /** @description Resolved alerts that are still retained. */
            resolved: number;
            /** @description Open alerts by severity. */
            by_severity: components["schemas"]["AlertSeverityCounts"];
            /** @description Unacknowledged alerts by severity. */
            unacknowledged_by_severity: components["schemas"]["AlertSeverityCounts"];
        };
        /**
         * @description A comment on an alert. It appears in the activity log and notifies no one.
         * @example Upgrade planned for Thursday.
         */
        AlertComment: string;
        /**
         * @description What is recorded with the acknowledgment.
         * @example {
         *       "comment": "Upgrade planned for Thursday."
         *     }
         */
        AcknowledgeAlertRequest: {
            comment?: components["schemas"]["AlertComment"];
        };
        /**
         * @description Alerts to acknowledge at once.
         * @example {
         *       "alert_ids": [
         *         88,
         *         89,
         *         90
         *       ]
         *     }
         */
        BulkAcknowledgeRequest: {
            /** @description Alert IDs. Duplicates count once. */
            alert_ids: number[];
            /** @description Added to each alert that is acknowledged. */
            comment?: components["schemas"]["AlertComment"];
        };
        /**
         * @description The outcome for each alert. Every ID is in exactly one list.
         * @example {
         *       "acknowledged": [
         *         88
         *       ],
         *       "already_acknowledged": [
         *         89
         *       ],
         *       "not_found": [
         *         90
         *       ]
         *     }
         */
        BulkAcknowledgeResponse: {
            /** @description Acknowledged by this call. */
            acknowledged: number[];
            /** @description Acknowledged before; unchanged. */
            already_acknowledged: number[];
            /** @description Resolved, or not an alert of this organization. IDs above 9007199254740991, which no alert has, are returned as 9007199254740991. */
            not_found: number[];
        };
        /**
         * @description A comment on an alert.
         * @example {
         *       "comment": "Upgrade planned for Thursday."
         *     }
         */
        CommentOnAlertRequest: {
            comment: components["schemas"]["AlertComment"];
        };
        /**
         * @description The new assignee of an alert.
         * @example {
         *       "member_id": 3
         *     }
         * @example {
         *       "member_id": null
         *     }
         */
        AssignAlertRequest: {
            /**
             * Format: int64
             * @description ID of the membership. Null: removes the assignee.
             */
            member_id: number | null;
        };
        /**
         * @description What to do with alerts. Comments can also be added to resolved alerts; everything else changes open alerts only.
         * @example acknowledge
         * @enum {string}
         */
        BulkAlertAction: "acknowledge" | "unacknowledge" | "snooze" | "unsnooze" | "resolve" | "assign" | "comment";
        /**
         * @description One action for up to 500 alerts.
         * @example {
         *       "alert_ids": [
         *         88,
         *         89,
         *         90
         *       ],
         *       "action": "acknowledge",
         *       "comment": "Upgrade planned for Thursday."
         *     }
         */
        ChangeAlertsRequest: {
            /** @description Alert IDs. Duplicates count once. */
            alert_ids: number[];
            action: components["schemas"]["BulkAlertAction"];
            /** @description Added to the alerts that the action changes. Required for `comment`. */
            comment?: components["schemas"]["AlertComment"];
            /**
             * Format: date-time
             * @description For `snooze`: a future time.
             */
            until?: string;
            /** @description For `snooze`: whether a change of the deployed or latest version ends it. */
            until_version_changes?: boolean;
            /**
             * Format: int64
             * @description For `assign`: ID of the membership. Null: removes the assignee.
             */
            member_id?: number | null;
            /**
             * @description Returns what would change without changing anything.
             * @default false
             */
            dry_run?: boolean;
        };
        /**
         * @description The outcome for each alert. Every ID is in exactly one list.
         * @example {
         *       "changed": [
         *         88
         *       ],
         *       "unchanged": [
         *         89
         *       ],
         *       "not_found": [
         *         90
         *       ]
         *     }
         */
        ChangeAlertsResponse: {
            /** @description Alerts that this call changed or, with `dry_run`, would change. */
            changed: number[];
            /** @description Alerts that are already in the requested state. */
            unchanged: number[];
            /** @description Resolved, or not an alert of this organization. IDs above 9007199254740991, which no alert has, are returned as 9007199254740991. */
            not_found: number[];
        };
        /**
         * @description The event of a delivery. Events about jobs, agents, freshness targets, and channels go to the default channel. Events about a channel never go to that channel.
         * @example alert.created
         * @enum {string}
         */
        NotificationEventType: "alert.created" | "alert.escalated" | "alert.acknowledged" | "alert.unacknowledged" | "alert.resolved" | "alert.reminder" | "digest" | "channel.test" | "job.failing" | "agent.offline" | "target.missed" | "target.met" | "freshness.report" | "channel.disabled" | "channel.failing" | "channel.recovered" | "delivery.failed";
        /**
         * @description `pending`: waiting for the first attempt, or for its channel (`waiting_for`). `in_progress`: sending. `succeeded`: delivered. `failed`: will be retried. `dead_letter`: failed after all attempts. `canceled`: won't be sent.
         * @example pending
         * @enum {string}
         */
        NotificationDeliveryStatus: "pending" | "in_progress" | "succeeded" | "failed" | "dead_letter" | "canceled";
        /**
         * @description What a pending delivery waits for. `channel`: it was retried while its channel was inactive, and its attempts start when the channel is enabled. `evaluation`: an upgrade or a changed setting affected how version strings are read, and the delivery is sent in one digest once all alert configurations have been evaluated; or one change opened several alerts, and their deliveries are sent in one digest after at most a minute. `sending_hours`: the channel sends it when its sending hours begin, at `next_attempt_at`. `email_limit`: the organization has reached its hourly email limit, and the delivery is sent in the next hour, at `next_attempt_at`. `rate_limit`: the receiver limits its rate, and the delivery is sent in its turn, at `next_attempt_at` or later.
         * @example channel
         * @enum {string}
         */
        DeliveryWait: "channel" | "evaluation" | "sending_hours" | "email_limit" | "rate_limit";
        /**
         * @description Why an attempt or a delivery ended as it did.
         * @example http_status
         * @enum {string}
         */
        DeliveryErrorCode: "http_status" | "message_rejected" | "redirect" | "gone" | "timeout" | "connection_failed" | "name_not_found" | "tls_failed" | "invalid_response" | "target_not_allowed" | "expired" | "template_failed" | "worker_lost" | "secrets_unreadable" | "channel_inactive" | "channel_deleted" | "alert_deleted" | "no_channel" | "fallback_off" | "no_default_channel" | "no_owner_channel" | "channels_deleted" | "all_channels_inactive" | "snoozed" | "silenced" | "superseded" | "mail_deferred" | "mail_rejected" | "mail_login_failed" | "email_unavailable" | "recipients_not_allowed" | "recipients_skipped" | "ticket_login_failed" | "ticket_forbidden" | "ticket_project_not_found" | "ticket_rejected" | "ticket_limited" | "ticket_not_closed" | "ticket_elsewhere" | "ticket_search_incomplete" | "no_ticket";
        /**
         * @description An attempt's error.
         * @example {
         *       "code": "http_status",
         *       "message": "The receiver returned 503."
         *     }
         */
        DeliveryError: {
            code: components["schemas"]["DeliveryErrorCode"];
            /** @description The error message. */
            message: string;
        };
        /**
         * @description Why a channel is notified only as a fallback. `no_owner_channel`: a notification rule with `route_to_owner` matches, but no active channel has the alert's owner in `owners`, so the rule's own channels are notified. Null: a rule selects the channel directly or by the owner, or no rule matches.
         * @example no_owner_channel
         * @enum {string|null}
         */
        FallbackReason: "no_owner_channel" | null;
        /**
         * @description A delivery of one event to one channel.
         * @example {
         *       "id": 4001,
         *       "channel_id": 2,
         *       "channel_name": "Operations",
         *       "alert_id": 88,
         *       "event_id": "0d9f3d0e-6f0c-4f0e-9a51-2f0c1f6a7b11",
         *       "event_type": "alert.created",
         *       "status": "succeeded",
         *       "attempt_count": 2,
         *       "max_attempts": 12,
         *       "next_attempt_at": null,
         *       "waiting_for": null,
         *       "last_attempt_at": "2026-03-15T09:30:00.000Z",
         *       "response_status": 200,
         *       "duration_ms": 84,
         *       "error": null,
         *       "reason": null,
         *       "fallback_reason": null,
         *       "completed_at": "2026-03-15T09:30:00.000Z",
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T09:30:00.000Z"
         *     }
         */
        NotificationDelivery: {
            /**
             * Format: int64
             * @description ID of the delivery.
             */
            id: number;
            /**
             * Format: int64
             * @description The channel. Null once it was deleted.
             */
            channel_id: number | null;
            /** @description Name of the channel. */
            channel_name: string;
            /**
             * Format: int64
             * @description The alert. Null when it was deleted, and for events that don't concern an alert.
             */
            alert_id: number | null;
            /**
             * Format: uuid
             * @description Event ID. The same for all channels.
             */
            event_id: string;
            event_type: components["schemas"]["NotificationEventType"];
            status: components["schemas"]["NotificationDeliveryStatus"];
            /** @description Attempts so far. */
            attempt_count: number;
            /** @description Maximum number of attempts. */
            max_attempts: number;
            /**
             * Format: date-time
             * @description Next retry. Null when there is none.
             */
            next_attempt_at: string | null;
            /** @description Why it isn't sent yet. Null when it isn't waiting. */
            waiting_for: components["schemas"]["DeliveryWait"] | null;
            /**
             * Format: date-time
             * @description Last attempt.
             */
            last_attempt_at: string | null;
            /** @description Status of the last response: of HTTP, or of SMTP for `email` channels. */
            response_status: number | null;
            /** @description Duration of the last attempt in milliseconds. */
            duration_ms: number | null;
            /** @description The last error. */
            error: components["schemas"]["DeliveryError"] | null;
            /** @description Why it was canceled or failed permanently, `template_failed` if the default body was sent, or `recipients_skipped` if an email reached only some of its recipients. */
            reason: components["schemas"]["DeliveryErrorCode"] | null;
            fallback_reason: components["schemas"]["FallbackReason"];
            /**
             * Format: date-time
             * @description When it became final: succeeded, dead letter, or canceled.
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
        };
        /**
         * @description One page of notification deliveries, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 4001,
         *           "channel_id": 2,
         *           "channel_name": "Operations",
         *           "alert_id": 88,
         *           "event_id": "0d9f3d0e-6f0c-4f0e-9a51-2f0c1f6a7b11",
         *           "event_type": "alert.created",
         *           "status": "succeeded",
         *           "attempt_count": 2,
         *           "max_attempts": 12,
         *           "next_attempt_at": null,
         *           "last_attempt_at": "2026-03-15T09:30:00.000Z",
         *           "response_status": 200,
         *           "duration_ms": 84,
         *           "error": null,
         *           "reason": null,
         *           "fallback_reason": null,
         *           "completed_at": "2026-03-15T09:30:00.000Z",
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T09:30:00.000Z",
         *           "waiting_for": null
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListNotificationDeliveriesResponse: {
            /** @description The notification deliveries of this page. */
            items: components["schemas"]["NotificationDelivery"][];
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
         * @description The type of activity.
         * @example created
         * @enum {string}
         */
        AlertAction: "created" | "updated" | "escalated" | "deescalated" | "acknowledged" | "unacknowledged" | "snoozed" | "unsnoozed" | "unsilenced" | "resolved" | "commented" | "assigned" | "reminded" | "notified" | "notification_failed" | "notification_skipped";
        /**
         * @description One entry in an alert's activity log. Entries are immutable.
         * @example {
         *       "id": 910,
         *       "alert_id": 88,
         *       "action": "escalated",
         *       "actor": {
         *         "type": "system",
         *         "id": null,
         *         "name": "Pacekeeper"
         *       },
         *       "from": "moderate",
         *       "to": "high",
         *       "detail": "60 days behind.",
         *       "cause": null,
         *       "created_at": "2026-03-15T09:30:00.000Z",
         *       "updated_at": "2026-03-15T09:30:00.000Z"
         *     }
         */
        AuditTrailEntry: {
            /**
             * Format: int64
             * @description ID of the entry.
             */
            id: number;
            /**
             * Format: int64
             * @description The alert.
             */
            alert_id: number;
            action: components["schemas"]["AlertAction"];
            /** @description The actor. */
            actor: components["schemas"]["Actor"];
            /** @description The value before the action: a severity, a status, or a version. Null if there was none. */
            from: string | null;
            /** @description The value after the action. Null if there is none. */
            to: string | null;
            /** @description Details: the text of a comment, the event of a notification, or why it was skipped. */
            detail: string | null;
            /**
             * @description `reading_changed` for the first evaluation after an upgrade or a changed setting affected how version strings are read. `silence_ended` for what is reported at the end of a silence. Null otherwise.
             * @enum {string|null}
             */
            cause: "reading_changed" | "silence_ended" | null;
            /**
             * Format: date-time
             * @description Time of the action.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            updated_at: string;
        };
        /**
         * @description One page of an alert's activity, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 910,
         *           "alert_id": 88,
         *           "action": "escalated",
         *           "actor": {
         *             "type": "system",
         *             "id": null,
         *             "name": "Pacekeeper"
         *           },
         *           "from": "moderate",
         *           "to": "high",
         *           "detail": "60 days behind.",
         *           "cause": null,
         *           "created_at": "2026-03-15T09:30:00.000Z",
         *           "updated_at": "2026-03-15T09:30:00.000Z"
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListAuditTrailResponse: {
            /** @description The entries of this page. */
            items: components["schemas"]["AuditTrailEntry"][];
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
         * @description When the snooze ends: at a time, when the deployed or latest version changes, or whichever comes first. At least one is required.
         * @example {
         *       "until": "2026-04-01T00:00:00.000Z"
         *     }
         * @example {
         *       "until_version_changes": true
         *     }
         */
        SnoozeAlertRequest: {
            /**
             * Format: date-time
             * @description A future time.
             */
            until?: string;
            /** @description Whether a change of the deployed or latest version ends it. */
            until_version_changes?: boolean;
        };
        /**
         * @description One page of alert configurations, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 31,
         *           "name": "Traefik in production",
         *           "scrape_job_id": 4,
         *           "gather_job_id": 9,
         *           "rule_id": 7,
         *           "scrape_job": {
         *             "id": 4,
         *             "name": "Traefik, production"
         *           },
         *           "gather_job": {
         *             "id": 9,
         *             "name": "Traefik releases"
         *           },
         *           "rule": {
         *             "id": 7,
         *             "name": "Ninety days"
         *           },
         *           "rule_type": "days_behind",
         *           "labels": {
         *             "team": "platform"
         *           },
         *           "effective_labels": {
         *             "environment": "production",
         *             "team": "platform"
         *           },
         *           "candidate_pattern": null,
         *           "ignored_versions": [],
         *           "counted_versions": [],
         *           "lifecycle_override": null,
         *           "ignored_vulnerabilities": [],
         *           "is_active": true,
         *           "state": "alerting",
         *           "state_reason": null,
         *           "severity": "moderate",
         *           "deployed_version": "v3.1.2",
         *           "latest_version": "v3.3.4",
         *           "latest_stable_version": "v3.3.4",
         *           "unaffected_version": null,
         *           "behind_by": 45,
         *           "behind_since": "2026-01-29T10:12:00.000Z",
         *           "ends_at": null,
         *           "days_left": null,
         *           "crossed_at": "2026-02-28T10:12:00.000Z",
         *           "last_evaluated_at": "2026-03-15T09:30:00.000Z",
         *           "next_evaluation_at": "2026-03-30T10:12:00.000Z",
         *           "active_alert_id": 88,
         *           "open_alert_count": 1,
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z",
         *           "ordinal": 0,
         *           "managed_by": null,
         *           "edited_fields": [],
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListAlertConfigsResponse: {
            /** @description The alert configurations of this page. */
            items: components["schemas"]["AlertConfig"][];
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
         * @description A vulnerability that doesn't count for an alert configuration.
         * @example {
         *       "id": "CVE-2026-1234",
         *       "until": "2026-12-31T00:00:00.000Z",
         *       "note": "The module isn't enabled"
         *     }
         */
        IgnoreVulnerability: {
            /** @description Its ID or one of its aliases. */
            id: string;
            /**
             * Format: date-time
             * @description When it counts again. Null for never.
             * @default null
             */
            until?: string | null;
            /**
             * @description Why it's ignored.
             * @default
             */
            note?: string;
        };
        /**
         * @description A new alert configuration. Its jobs and rule must belong to the organization; the gather job can also be global.
         * @example {
         *       "name": "Traefik in production",
         *       "scrape_job_id": 4,
         *       "gather_job_id": 9,
         *       "rule_id": 7,
         *       "labels": {
         *         "team": "platform"
         *       }
         *     }
         */
        CreateAlertConfigRequest: {
            name: components["schemas"]["Name"];
            /**
             * Format: int64
             * @description The scrape job that provides the deployed version.
             */
            scrape_job_id: number;
            /**
             * Format: int64
             * @description The gather job that provides the releases; the organization's or a global one.
             */
            gather_job_id: number;
            /**
             * Format: int64
             * @description The monitoring rule that compares them.
             */
            rule_id: number;
            /** @default {} */
            labels?: components["schemas"]["Labels"];
            /**
             * @description Only releases whose version matches are compared, e.g. `^15\.`. Null: all.
             * @default null
             */
            candidate_pattern?: components["schemas"]["Pattern"] | null;
            /** @description Distinguishes alert configurations that compare the same scrape job, gather job, rule, and `candidate_pattern`. Without it, a second one is rejected; with it, only one that has the same ordinal is. Configuration files use it for duplicates that were stored before they were rejected. */
            ordinal?: number;
            /**
             * @description Releases to ignore, by version.
             * @default []
             */
            ignored_versions?: components["schemas"]["VersionString"][];
            /**
             * @description Releases to compare even though they don't fit the others (`outlier` in the explanation), by version. Days behind are counted from when the release was added.
             * @default []
             */
            counted_versions?: components["schemas"]["VersionString"][];
            /**
             * @description Paid support, for `end_of_life` rules. Null: none.
             * @default null
             */
            lifecycle_override?: components["schemas"]["LifecycleOverride"] | null;
            /**
             * @description Vulnerabilities that don't count, for `known_vulnerabilities` rules.
             * @default []
             */
            ignored_vulnerabilities?: components["schemas"]["IgnoreVulnerability"][];
            /**
             * @description Whether it is evaluated.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description Changes to an alert configuration. Omitted fields keep their values; `labels`, `ignored_versions`, and `counted_versions` are replaced completely.
         * @example {
         *       "rule_id": 8
         *     }
         * @example {
         *       "candidate_pattern": "^15\\."
         *     }
         */
        UpdateAlertConfigRequest: {
            name?: components["schemas"]["Name"];
            /**
             * Format: int64
             * @description The scrape job that provides the deployed version.
             */
            scrape_job_id?: number;
            /**
             * Format: int64
             * @description The gather job that provides the releases; the organization's or a global one.
             */
            gather_job_id?: number;
            /**
             * Format: int64
             * @description The monitoring rule that compares them.
             */
            rule_id?: number;
            labels?: components["schemas"]["Labels"];
            /** @description Only releases whose version matches are compared, e.g. `^15\.`. Null: all. */
            candidate_pattern?: components["schemas"]["Pattern"] | null;
            /** @description Distinguishes alert configurations that compare the same scrape job, gather job, rule, and `candidate_pattern`. Without it, a second one is rejected; with it, only one that has the same ordinal is. Configuration files use it for duplicates that were stored before they were rejected. */
            ordinal?: number;
            /** @description Releases to ignore, by version. */
            ignored_versions?: components["schemas"]["VersionString"][];
            /** @description Releases to compare even though they don't fit the others (`outlier` in the explanation), by version. Days behind are counted from when the release was added. */
            counted_versions?: components["schemas"]["VersionString"][];
            /** @description Paid support, for `end_of_life` rules. Null: none. */
            lifecycle_override?: components["schemas"]["LifecycleOverride"] | null;
            /** @description Vulnerabilities that don't count, for `known_vulnerabilities` rules. */
            ignored_vulnerabilities?: components["schemas"]["IgnoreVulnerability"][];
            /** @description Whether it is evaluated. */
            is_active?: boolean;
        };
        /**
         * @description The stored explanation of the last evaluation. Reading it doesn't trigger an evaluation.
         * @example {
         *       "alert_config_id": 31,
         *       "evaluated_at": "2026-03-15T09:30:00.000Z",
         *       "explanation": null
         *     }
         */
        AlertConfigExplanation: {
            /**
             * Format: int64
             * @description The alert configuration.
             */
            alert_config_id: number;
            /**
             * Format: date-time
             * @description When it was last evaluated. Null before the first evaluation.
             */
            evaluated_at: string | null;
            /** @description The compared versions and the result. Null before the first evaluation and while it was never active. */
            explanation: components["schemas"]["EvaluationExplanation"] | null;
        };
        /**
         * @description A known vulnerability of a deployed version, merged from all records about it.
         * @example {
         *       "id": "CVE-2026-1234",
         *       "aliases": [
         *         "BIT-nginx-2026-1234"
         *       ],
         *       "severity": "high",
         *       "summary": "A crafted request can crash a worker.",
         *       "fixed_in": "1.30.2",
         *       "is_ignored": false,
         *       "ignored_until": null,
         *       "url": "https://osv.dev/vulnerability/CVE-2026-1234"
         *     }
         */
        Vulnerability: {
            /** @description Its CVE ID. Without one, that of a record. */
            id: string;
            /** @description Its other IDs. */
            aliases: string[];
            /** @description The highest severity in its records. Null if none has one. */
            severity: components["schemas"]["VulnerabilitySeverity"] | null;
            /** @description What it is about. Empty if unknown. */
            summary: string;
            /** @description The version that fixes it. Null if unknown. */
            fixed_in: string | null;
            /** @description Whether the alert configuration ignores it. */
            is_ignored: boolean;
            /**
             * Format: date-time
             * @description When it counts again. Null if it isn't ignored or is ignored permanently.
             */
            ignored_until: string | null;
            /** @description Its page on osv.dev. */
            url: string;
        };
        /**
         * @description One page of known vulnerabilities, worst first.
         * @example {
         *       "items": [
         *         {
         *           "id": "CVE-2026-1234",
         *           "aliases": [
         *             "BIT-nginx-2026-1234"
         *           ],
         *           "severity": "high",
         *           "summary": "A crafted request can crash a worker.",
         *           "fixed_in": "1.30.2",
         *           "is_ignored": false,
         *           "ignored_until": null,
         *           "url": "https://osv.dev/vulnerability/CVE-2026-1234"
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListVulnerabilitiesResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["Vulnerability"][];
            /** @description Number of vulnerabilities. */
            total: number;
            /** @description Always true. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description The values of an alert configuration to simulate. Its name and whether it is active don't affect the result.
         * @example {
         *       "scrape_job_id": 4,
         *       "gather_job_id": 9,
         *       "rule_id": 7
         *     }
         */
        SimulatedAlertConfig: {
            name?: components["schemas"]["Name"];
            /**
             * Format: int64
             * @description The scrape job that provides the deployed version.
             */
            scrape_job_id: number;
            /**
             * Format: int64
             * @description The gather job that provides the releases; the organization's or a global one.
             */
            gather_job_id: number;
            /**
             * Format: int64
             * @description The monitoring rule that compares them.
             */
            rule_id: number;
            /** @default {} */
            labels?: components["schemas"]["Labels"];
            /**
             * @description Only releases whose version matches are compared, e.g. `^15\.`. Null: all.
             * @default null
             */
            candidate_pattern?: components["schemas"]["Pattern"] | null;
            /** @description Ignored. */
            ordinal?: number;
            /**
             * @description Releases to ignore, by version.
             * @default []
             */
            ignored_versions?: components["schemas"]["VersionString"][];
            /**
             * @description Releases to compare even though they don't fit the others, by version. New ones count from the start of the simulation.
             * @default []
             */
            counted_versions?: components["schemas"]["VersionString"][];
            /** @description Paid support, for `end_of_life` rules. Null: none. */
            lifecycle_override?: components["schemas"]["LifecycleOverride"] | null;
            /**
             * @description Vulnerabilities that don't count, for `known_vulnerabilities` rules.
             * @default []
             */
            ignored_vulnerabilities?: components["schemas"]["IgnoreVulnerability"][];
            /** @description Ignored. */
            is_active?: boolean;
        };
        /**
         * @description What to simulate: the values in `alert_config`, or the stored configuration `alert_config_id`. With both, the values are simulated and compared with the stored configuration.
         * @example {
         *       "alert_config": {
         *         "scrape_job_id": 4,
         *         "gather_job_id": 9,
         *         "rule_id": 7
         *       }
         *     }
         */
        SimulateAlertConfigRequest: {
            alert_config?: components["schemas"]["SimulatedAlertConfig"];
            /**
             * Format: int64
             * @description A stored configuration.
             */
            alert_config_id?: number;
            /** @default 180 */
            days?: components["schemas"]["SimulatedDays"];
        };
        /**
         * @description The status badge of an alert configuration and how to embed it.
         * @example {
         *       "url": "https://pacekeeper.example.com/badge/5d0c2f1e.2eimtxd.eyJvIjoyfQ.h9Zk.svg",
         *       "markdown": "[![Traefik](https://pacekeeper.example.com/badge/5d0c2f1e.2eimtxd.eyJvIjoyfQ.h9Zk.svg)](https://pacekeeper.example.com/alert-configs/31)"
         *     }
         */
        AlertConfigBadge: {
            /**
             * Format: uri
             * @description URL of the image (SVG).
             */
            url: string;
            /** @description Markdown for the image, with a link to the alert configuration. */
            markdown: string;
        };
        /**
         * @description The entries of a section.
         * @example [
         *       {
         *         "name": "Two majors",
         *         "rule_type": "majors_behind",
         *         "thresholds": {
         *           "high": 2
         *         }
         *       }
         *     ]
         */
        ConfigurationSection: {
            [key: string]: unknown;
        }[];
        /**
         * @description A configuration file as JSON, with the values of its variables. The server validates it against `/api/spec/pacekeeper.schema.json`, which describes every field. Omitted sections don't change.
         * @example {
         *       "rules": [
         *         {
         *           "name": "Two majors",
         *           "rule_type": "majors_behind",
         *           "thresholds": {
         *             "high": 2
         *           }
         *         }
         *       ],
         *       "scrape_jobs": [
         *         {
         *           "name": "Shop",
         *           "parser_type": "manual"
         *         }
         *       ]
         *     }
         */
        ConfigurationDocument: {
            /** @description Settings of the organization by key. Changes require the admin role. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Notification templates of the organization by category. Changes require the admin role. */
            templates?: {
                [key: string]: unknown;
            };
            /** @description Monitoring rules. */
            rules?: components["schemas"]["ConfigurationSection"];
            /** @description Helm sync jobs. */
            helm_sync_jobs?: components["schemas"]["ConfigurationSection"];
            /** @description Discovery jobs. */
            discovery_jobs?: components["schemas"]["ConfigurationSection"];
            /** @description Gather jobs. */
            gather_jobs?: components["schemas"]["ConfigurationSection"];
            /** @description Scrape jobs. */
            scrape_jobs?: components["schemas"]["ConfigurationSection"];
            /** @description Notification channels. */
            notification_channels?: components["schemas"]["ConfigurationSection"];
            /** @description Alert configurations. */
            alert_configs?: components["schemas"]["ConfigurationSection"];
            /** @description Notification rules. */
            notification_rules?: components["schemas"]["ConfigurationSection"];
            /** @description Freshness targets. */
            freshness_targets?: components["schemas"]["ConfigurationSection"];
            /** @description Artifact aliases. */
            artifact_aliases?: components["schemas"]["ConfigurationSection"];
            /** @description Corrections of the upstream of artifacts. */
            artifact_corrections?: components["schemas"]["ConfigurationSection"];
        };
        /**
         * @description A section of a configuration file.
         * @example gather_jobs
         * @enum {string}
         */
        ConfigurationSectionName: "settings" | "templates" | "rules" | "helm_sync_jobs" | "discovery_jobs" | "gather_jobs" | "scrape_jobs" | "notification_channels" | "alert_configs" | "notification_rules" | "freshness_targets" | "artifact_aliases" | "artifact_corrections";
        /**
         * @description A field that changes. Secrets aren't included, and channel URLs are shortened to their origin.
         * @example {
         *       "field": "thresholds",
         *       "before": {
         *         "high": 1
         *       },
         *       "after": {
         *         "high": 2
         *       }
         *     }
         */
        ConfigurationChange: {
            /** @description The field, as in the file. */
            field: string;
            /** @description The stored value. Null if none. */
            before: unknown;
            /** @description The new value. */
            after: unknown;
        };
        /**
         * @description One change of a plan.
         * @example {
         *       "action": "update",
         *       "section": "rules",
         *       "index": 0,
         *       "name": "Two majors",
         *       "id": 7,
         *       "chart": null,
         *       "changes": [
         *         {
         *           "field": "thresholds",
         *           "before": {
         *             "high": 1
         *           },
         *           "after": {
         *             "high": 2
         *           }
         *         }
         *       ]
         *     }
         */
        ConfigurationStep: {
            /**
             * @description `set_version` sets the version of a manual scrape job. In `settings` and `templates`, `create` adds an override and `delete` removes it.
             * @enum {string}
             */
            action: "create" | "update" | "delete" | "set_version";
            /** @description The section of the resource. */
            section: components["schemas"]["ConfigurationSectionName"];
            /** @description Position of the entry in its section. Null for deletions, settings, and templates. */
            index: number | null;
            /** @description Name of the resource, key of the setting, or category of the template. */
            name: string;
            /**
             * Format: int64
             * @description ID of the resource. Null if it doesn't exist yet.
             */
            id: number | null;
            /** @description For a gather job that a helm sync job feeds: the chart, if the helm sync job hasn't found it yet. The gather job is created and stays pending until then. */
            chart: string | null;
            /** @description The fields that change. Empty for deletions. */
            changes: components["schemas"]["ConfigurationChange"][];
        };
        /**
         * @description A remark about an entry.
         * @example {
         *       "section": "notification_rules",
         *       "index": 3,
         *       "message": "skipped: it has no channels."
         *     }
         */
        ConfigurationNote: {
            /** @description The section. */
            section: components["schemas"]["ConfigurationSectionName"];
            /** @description Position of the entry in its section. */
            index: number | null;
            /** @description The remark. */
            message: string;
        };
        /**
         * @description The changes that applying a configuration would make.
         * @example {
         *       "fingerprint": "0f4c3ad1b1f0a2e5c6d7988a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e",
         *       "steps": [
         *         {
         *           "action": "create",
         *           "section": "rules",
         *           "index": 0,
         *           "name": "Two majors",
         *           "id": null,
         *           "chart": null,
         *           "changes": [
         *             {
         *               "field": "rule_type",
         *               "before": null,
         *               "after": "majors_behind"
         *             },
         *             {
         *               "field": "thresholds",
         *               "before": null,
         *               "after": {
         *                 "high": 2
         *               }
         *             }
         *           ]
         *         }
         *       ],
         *       "unchanged": 4,
         *       "notes": []
         *     }
         */
        ConfigurationPlan: {
            /** @description Identifies the changes. `POST /configuration/apply` requires it, and applies exactly these changes or none. */
            fingerprint: string;
            /** @description The changes, in the order in which they depend on each other. */
            steps: components["schemas"]["ConfigurationStep"][];
            /** @description The number of entries that are already up to date. */
            unchanged: number;
            /** @description Remarks about parts of the configuration that can't be applied. */
            notes: components["schemas"]["ConfigurationNote"][];
        };
        /**
         * @description A gather job whose helm sync job hasn't found the chart yet.
         * @example {
         *       "id": 31,
         *       "name": "Web",
         *       "chart": "web"
         *     }
         */
        PendingGatherJob: {
            /**
             * Format: int64
             * @description ID of the gather job.
             */
            id: number;
            /** @description Its name. */
            name: string;
            /** @description The chart. */
            chart: string;
        };
        /**
         * @description Why a configuration wasn't applied.
         * @example {
         *       "code": "conflict",
         *       "message": "The resource's current state doesn't allow this.",
         *       "section": "alert_configs",
         *       "index": 7
         *     }
         */
        ConfigurationApplyError: {
            /** @description A code of ErrorResponse, or `interrupted` if the server stopped. */
            code: string;
            /** @description The cause and the fix. */
            message: string;
            /** @description Section of the change that failed. */
            section: components["schemas"]["ConfigurationSectionName"] | null;
            /** @description Position of the entry in its section. */
            index: number | null;
        };
        /**
         * @description The progress or result of applying a configuration in one transaction: all of its changes or none. No change is visible until all have succeeded.
         * @example {
         *       "id": 12,
         *       "status": "succeeded",
         *       "fingerprint": "0f4c3ad1b1f0a2e5c6d7988a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e",
         *       "steps_total": 3,
         *       "steps_done": 3,
         *       "created_count": 3,
         *       "updated_count": 0,
         *       "deleted_count": 0,
         *       "pending_gather_jobs": [
         *         {
         *           "id": 31,
         *           "name": "Web",
         *           "chart": "web"
         *         }
         *       ],
         *       "error": null,
         *       "actor": {
         *         "type": "user",
         *         "id": 3,
         *         "name": "Dana"
         *       },
         *       "finished_at": "2026-03-15T08:00:02.000Z",
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:02.000Z"
         *     }
         */
        ConfigurationApply: {
            /**
             * Format: int64
             * @description ID of the apply.
             */
            id: number;
            /**
             * @description `failed` means that nothing changed. An apply also fails if the server stops.
             * @enum {string}
             */
            status: "in_progress" | "succeeded" | "failed";
            /** @description Fingerprint of the plan. */
            fingerprint: string;
            /** @description The number of changes. Creating a scrape job and setting its version count as one change. */
            steps_total: number;
            /** @description The number of changes made so far. They are committed together at the end. */
            steps_done: number;
            /** @description The number of created resources and overrides. */
            created_count: number;
            /** @description The number of updated resources and overrides. */
            updated_count: number;
            /** @description The number of deleted resources and overrides. */
            deleted_count: number;
            /** @description Created gather jobs whose helm sync job hasn't found the chart yet. */
            pending_gather_jobs: components["schemas"]["PendingGatherJob"][];
            /** @description Why it failed. */
            error: components["schemas"]["ConfigurationApplyError"] | null;
            /** @description Who applied it. */
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description Time when it succeeded or failed.
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description Time when it started.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last sign of progress.
             */
            updated_at: string;
        };
        /**
         * @description What a member can do. `viewer`: read. `member`: also write pipeline resources. `admin`: also manage settings, keys, members, and read the audit log. `owner`: also manage owners.
         * @example viewer
         * @enum {string}
         */
        MemberRole: "viewer" | "member" | "admin" | "owner";
        /**
         * @description A member of the organization, for a picker.
         * @example {
         *       "id": 3,
         *       "user_id": 5,
         *       "name": "Dana",
         *       "email": "dana@shop.example",
         *       "role": "member"
         *     }
         */
        OrgMemberDropdownItem: {
            /**
             * Format: int64
             * @description Its ID.
             */
            id: number;
            /**
             * Format: int64
             * @description ID of the user, which the audit log names as the actor.
             */
            user_id: number;
            /** @description Its name. */
            name: string;
            /** @description Email address. */
            email: string;
            role: components["schemas"]["MemberRole"];
        };
        /**
         * @description A scrape job, for a picker.
         * @example {
         *       "id": 4,
         *       "name": "Traefik, production",
         *       "parser_type": "yq",
         *       "latest_version": "v3.1.2"
         *     }
         */
        ScrapeJobDropdownItem: {
            /**
             * Format: int64
             * @description Its ID.
             */
            id: number;
            /** @description Its name. */
            name: string;
            parser_type: components["schemas"]["ScrapeJobParserType"];
            /** @description The last version found. Null before the first. */
            latest_version: string | null;
        };
        /**
         * @description A gather job, for a picker.
         * @example {
         *       "id": 9,
         *       "name": "Traefik releases",
         *       "artifact_name": "github.com/traefik/traefik",
         *       "source_type": "github_releases",
         *       "scope": "organization",
         *       "latest_version": "v3.3.4"
         *     }
         */
        GatherJobDropdownItem: {
            /**
             * Format: int64
             * @description Its ID.
             */
            id: number;
            /** @description Its name. */
            name: string;
            /** @description The artifact it tracks. */
            artifact_name: string;
            source_type: components["schemas"]["ReleaseSourceType"];
            scope: components["schemas"]["Scope"];
            /** @description The highest release. Null before the first. */
            latest_version: string | null;
        };
        /**
         * @description A monitoring rule, for a picker.
         * @example {
         *       "id": 7,
         *       "name": "Ninety days",
         *       "rule_type": "days_behind",
         *       "is_active": true
         *     }
         */
        RuleDropdownItem: {
            /**
             * Format: int64
             * @description Its ID.
             */
            id: number;
            /** @description Its name. */
            name: string;
            rule_type: components["schemas"]["MonitoringRuleType"];
            /** @description Whether it is evaluated. */
            is_active: boolean;
        };
        /**
         * @description A notification channel, for a picker.
         * @example {
         *       "id": 2,
         *       "name": "Operations",
         *       "channel_type": "webhook",
         *       "is_active": true,
         *       "is_default": true
         *     }
         */
        NotificationChannelDropdownItem: {
            /**
             * Format: int64
             * @description Its ID.
             */
            id: number;
            /** @description Its name. */
            name: string;
            channel_type: components["schemas"]["NotificationChannelType"];
            /** @description Whether it is active. */
            is_active: boolean;
            /** @description Whether it is the default channel. */
            is_default: boolean;
        };
        /**
         * @description All settings, each with the organization's override or the global value.
         * @example {
         *       "items": [
         *         {
         *           "key": "delivery.timeout_seconds",
         *           "revision": 1,
         *           "value": 20,
         *           "default_value": 15,
         *           "scope": "organization",
         *           "is_overridable": true,
         *           "value_schema": {
         *             "type": "integer",
         *             "minimum": 1,
         *             "maximum": 30
         *           },
         *           "description": "Total timeout for a webhook request, in seconds."
         *         }
         *       ]
         *     }
         */
        ListEffectiveSettingsResponse: {
            /** @description The settings, each with the organization's override or the global value. */
            items: components["schemas"]["Setting"][];
        };
        /**
         * @description The value of a setting for this organization.
         * @example {
         *       "value": 20
         *     }
         * @example {
         *       "value": null
         *     }
         */
        UpdateSettingRequest: {
            /** @description The value, which must match the setting's `value_schema`. Null is a value if the schema allows it. */
            value: unknown;
        };
        /**
         * @description Email addresses that get each message, up to 50. Each must belong to a member of the organization or to a domain that the operator allows; addresses that no longer do are skipped. Only for `email` channels; stored in lowercase, with internationalized domains as `xn--…`. The part before the `@` has only ASCII letters and can't contain `%`, `!`, `|`, or `/`, because some mail servers use them to forward messages to other domains.
         * @example [
         *       "ana@example.org"
         *     ]
         */
        EmailRecipients: string[];
        /**
         * @description Labels of new tickets, up to 10. GitLab and GitHub labels can't contain commas, and Jira labels can't contain spaces.
         * @example [
         *       "dependencies"
         *     ]
         */
        TicketLabels: string[];
        /**
         * @description A Liquid template, at most 32 KiB. Unknown variables and filters are rejected.
         * @example {"text": {{ alert.config_name | json }}}
         */
        TemplateBody: string;
        /**
         * @description Templates of a channel by category. A category without a template uses, in this order, the channel's template, its preset, the organization's template, or the global template.
         * @example {
         *       "resolved": "{\"text\": {{ alert.config_name | append: \" is up to date\" | json }}}"
         *     }
         */
        ChannelTemplates: {
            new_alert?: components["schemas"]["TemplateBody"];
            acknowledged?: components["schemas"]["TemplateBody"];
            resolved?: components["schemas"]["TemplateBody"];
        };
        /**
         * @description The platform that the body is formatted for.
         * @example generic
         * @enum {string}
         */
        NotificationPreset: "generic" | "slack" | "discord" | "teams" | "pagerduty" | "telegram" | "mattermost" | "gotify" | "ntfy";
        /**
         * @description Hours on days of the week, in the channel's time zone. If `to` isn't after `from`, the hours end on the next day.
         * @example {
         *       "days": [
         *         "mon",
         *         "tue",
         *         "wed",
         *         "thu",
         *         "fri"
         *       ],
         *       "from": "08:00",
         *       "to": "18:00"
         *     }
         */
        SendingHours: {
            /** @description The days on which the hours begin. */
            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            /** @description Start time. */
            from: string;
            /** @description End time, at most 24:00. */
            to: string;
        };
        /**
         * @description Owners whose alerts notification rules with `route_to_owner` send to this channel. An alert's owner is the value of the label in the setting `notification.owner_label`. Case and a leading `@` are ignored. An owner can't begin or end with spaces or commas, because they separate several owners in a label.
         * @example [
         *       "@acme/payments"
         *     ]
         */
        ChannelOwners: string[];
        /**
         * @description For receivers that report errors with status 2xx, what they return for success: the value at `path` in the JSON body, or the whole body. A response that doesn't match is a failed attempt.
         * @example {
         *       "path": "errcode",
         *       "equals": 0
         *     }
         */
        SuccessCondition: {
            /** @description Dotted path of the value in the JSON body, such as `data.errcode`. Null: the whole body as text. */
            path: string | null;
            /** @description Value that means success. */
            equals: string | number | boolean;
        };
        /**
         * @description `unknown`: nothing was sent yet. `healthy`: the last attempt succeeded. `degraded`: the last attempts failed. `failing`: ten or more failed in a row, or the channel has an `error`.
         * @example unknown
         * @enum {string}
         */
        ChannelHealthStatus: "unknown" | "healthy" | "degraded" | "failing";
        /**
         * @description Recent delivery results of a channel.
         * @example {
         *       "status": "healthy",
         *       "consecutive_failures": 0,
         *       "last_success_at": "2026-03-15T09:30:00.000Z",
         *       "last_failure_at": null,
         *       "error": null
         *     }
         */
        ChannelHealth: {
            status: components["schemas"]["ChannelHealthStatus"];
            /** @description Failed attempts since the last success. */
            consecutive_failures: number;
            /**
             * Format: date-time
             * @description When an attempt last succeeded.
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed.
             */
            last_failure_at: string | null;
            /** @description Set if the channel's stored secrets can't be decrypted: its messages wait until someone enters the secrets again. Null otherwise. */
            error: components["schemas"]["DeliveryError"] | null;
        };
        /**
         * @description Where alerts are sent: a webhook, email addresses, or an issue tracker. Preset options, header values, the signing secret, and the token are never returned.
         * @example {
         *       "id": 2,
         *       "name": "Operations",
         *       "channel_type": "webhook",
         *       "url": "https://hooks.chat.example/services/T0/B0/x",
         *       "recipients": [],
         *       "project": null,
         *       "issue_type": null,
         *       "account_email": null,
         *       "ticket_labels": [],
         *       "has_token": false,
         *       "template": null,
         *       "templates": {},
         *       "preset": "slack",
         *       "headers": {
         *         "X-Team": null
         *       },
         *       "has_preset_options": false,
         *       "has_signing_secret": true,
         *       "digest_minutes": null,
         *       "digest_schedule": null,
         *       "sending_hours": [
         *         {
         *           "days": [
         *             "mon",
         *             "tue",
         *             "wed",
         *             "thu",
         *             "fri"
         *           ],
         *           "from": "08:00",
         *           "to": "18:00"
         *         }
         *       ],
         *       "timezone": "Europe/Berlin",
         *       "always_for": [
         *         "critical"
         *       ],
         *       "owners": [
         *         "@acme/payments"
         *       ],
         *       "opens_at": "2026-03-16T07:00:00.000Z",
         *       "success_condition": null,
         *       "rate_limited_until": null,
         *       "require_login_to_acknowledge": true,
         *       "interactivity_url": null,
         *       "is_active": true,
         *       "is_default": true,
         *       "health": {
         *         "status": "healthy",
         *         "consecutive_failures": 0,
         *         "last_success_at": "2026-03-15T09:30:00.000Z",
         *         "last_failure_at": null,
         *         "error": null
         *       },
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 3
         *     }
         */
        NotificationChannel: {
            /**
             * Format: int64
             * @description ID of the channel.
             */
            id: number;
            /** @description Name of the channel. */
            name: string;
            channel_type: components["schemas"]["NotificationChannelType"];
            /** @description URL that events are posted to. Users who can't change channels see only `scheme://host/…`. Null for `email` channels. Of an issue tracker: the URL of its API (GitHub) or site, which everyone sees. */
            url: string | null;
            recipients: components["schemas"]["EmailRecipients"];
            /** @description Where tickets are created: a GitHub repository (`owner/repo`), the path or ID of a GitLab project, or the key of a Jira project. Null for other types. */
            project: string | null;
            /** @description Only for `jira`: the type of new issues, such as `Task`. */
            issue_type: string | null;
            /** @description Only for `jira`: the email address of the account that the API token belongs to. Null for a personal access token of Jira Data Center. */
            account_email: string | null;
            ticket_labels: components["schemas"]["TicketLabels"];
            /** @description Whether the token of an issue tracker is stored. */
            has_token: boolean;
            /** @description Template for categories that don't have one. Null: none. */
            template: string | null;
            templates: components["schemas"]["ChannelTemplates"];
            preset: components["schemas"]["NotificationPreset"];
            /** @description Names of the headers. Values are never returned; each is null. */
            headers: {
                [key: string]: null;
            };
            /** @description Whether preset options are stored. */
            has_preset_options: boolean;
            /** @description Whether requests are signed. */
            has_signing_secret: boolean;
            /** @description Combines the events of this many minutes into one message. Null: send each event immediately, or by `digest_schedule`. Not available with the preset `pagerduty`. */
            digest_minutes: number | null;
            /** @description Cron expression with five fields, or a shortcut such as `@weekly`, in `timezone`: combines the events in between into one message. Null: none. Can't be combined with `digest_minutes`. Not available with the preset `pagerduty`. */
            digest_schedule: string | null;
            /** @description When messages are sent. Outside of these hours they wait, and an alert that is resolved before they begin is sent once. Empty: always. */
            sending_hours: components["schemas"]["SendingHours"][];
            /** @description IANA time zone name for `sending_hours` and `digest_schedule`. */
            timezone: string;
            /** @description Severities whose alerts are sent at any time, regardless of `sending_hours`. */
            always_for: components["schemas"]["AlertSeverity"][];
            owners: components["schemas"]["ChannelOwners"];
            /**
             * Format: date-time
             * @description When the sending hours begin next. Null: messages are sent now.
             */
            opens_at: string | null;
            /** @description For receivers that report errors with status 2xx: what they return for success. Presets also check the responses of their platform. Null: every other 2xx response is a success. */
            success_condition: components["schemas"]["SuccessCondition"] | null;
            /**
             * Format: date-time
             * @description Time until which sending is paused because of the receiver's rate limit. Null: sending isn't paused.
             */
            rate_limited_until: string | null;
            /** @description Whether acknowledge links require a login. */
            require_login_to_acknowledge: boolean;
            /** @description For the `slack` preset with a `slack_signing_secret`: the request URL to enter in the Slack app under Interactivity & Shortcuts. Channels of one Slack app can share the URL of any of them. Null: messages have no buttons that Slack reports. */
            interactivity_url: string | null;
            /** @description Whether the channel is active. */
            is_active: boolean;
            /** @description Whether it is the organization's default channel. */
            is_default: boolean;
            health: components["schemas"]["ChannelHealth"];
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description One page of notification channels, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 2,
         *           "name": "Operations",
         *           "channel_type": "webhook",
         *           "url": "https://hooks.chat.example/services/T0/B0/x",
         *           "recipients": [],
         *           "project": null,
         *           "issue_type": null,
         *           "account_email": null,
         *           "ticket_labels": [],
         *           "has_token": false,
         *           "template": null,
         *           "templates": {},
         *           "preset": "slack",
         *           "headers": {
         *             "X-Team": null
         *           },
         *           "has_preset_options": false,
         *           "has_signing_secret": true,
         *           "digest_minutes": null,
         *           "digest_schedule": null,
         *           "sending_hours": [],
         *           "timezone": "UTC",
         *           "always_for": [
         *             "critical"
         *           ],
         *           "owners": [
         *             "@acme/payments"
         *           ],
         *           "opens_at": null,
         *           "success_condition": null,
         *           "rate_limited_until": null,
         *           "require_login_to_acknowledge": true,
         *           "interactivity_url": null,
         *           "is_active": true,
         *           "is_default": true,
         *           "health": {
         *             "status": "healthy",
         *             "consecutive_failures": 0,
         *             "last_success_at": "2026-03-15T09:30:00.000Z",
         *             "last_failure_at": null,
         *             "error": null
         *           },
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z",
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListNotificationChannelsResponse: {
            /** @description The notification channels of this page. */
            items: components["schemas"]["NotificationChannel"][];
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
         * @description Options of the preset's platform in addition to the URL, at most 20 entries. Required: PagerDuty `routing_key`, Telegram `chat_id`, ntfy `topic`. For buttons in messages: Slack `slack_signing_secret`, Mattermost `buttons_url`.
         * @example {
         *       "chat_id": "-1001234567"
         *     }
         */
        PresetOptions: {
            [key: string]: string;
        };
        /**
         * @description Name of a header.
         * @example X-Team
         */
        HeaderName: string;
        /**
         * @description A new notification channel. A `webhook` requires `url`. An `email` channel requires `recipients` and has no `url`, templates, preset, headers, or signing secret. A channel that creates tickets requires `project` and `token`, for `jira` also `url` and `issue_type`; it has no digests, templates, preset, headers, or signing secret.
         * @example {
         *       "name": "Operations",
         *       "url": "https://hooks.chat.example/services/T0/B0/x",
         *       "preset": "slack"
         *     }
         * @example {
         *       "name": "Team",
         *       "channel_type": "email",
         *       "recipients": [
         *         "ana@example.org"
         *       ]
         *     }
         * @example {
         *       "name": "Issues",
         *       "channel_type": "github_issues",
         *       "project": "acme/platform",
         *       "token": "github_pat_11AAAA"
         *     }
         */
        CreateNotificationChannelRequest: {
            name: components["schemas"]["Name"];
            /** @default webhook */
            channel_type?: components["schemas"]["NotificationChannelType"];
            /**
             * @description URL that events are posted to: `https`, or `http` where the operator allows it. Required for `webhook` channels. Of an issue tracker: the URL of its API (GitHub) or site (GitLab, Jira); null is `https://api.github.com` or `https://gitlab.com`.
             * @default null
             */
            url?: string | null;
            /** @default [] */
            recipients?: components["schemas"]["EmailRecipients"];
            /**
             * @description Where tickets are created: a GitHub repository (`owner/repo`), the path or ID of a GitLab project, or the key of a Jira project. Null for other types.
             * @default null
             */
            project?: string | null;
            /**
             * @description Only for `jira`: the type of new issues, such as `Task`.
             * @default null
             */
            issue_type?: string | null;
            /**
             * @description Only for `jira`: the email address of the account that the API token belongs to. Null for a personal access token of Jira Data Center.
             * @default null
             */
            account_email?: string | null;
            /** @default [] */
            ticket_labels?: components["schemas"]["TicketLabels"];
            /**
             * @description The token of the issue tracker, which is never returned. Required for channels that create tickets.
             * @default null
             */
            token?: string | null;
            /**
             * @description Template for categories that don't have one. Null: none.
             * @default null
             */
            template?: components["schemas"]["TemplateBody"] | null;
            /** @default {} */
            templates?: components["schemas"]["ChannelTemplates"];
            /** @default generic */
            preset?: components["schemas"]["NotificationPreset"];
            /** @default {} */
            preset_options?: components["schemas"]["PresetOptions"];
            /**
             * @description Headers to send with every request, at most 20. Names are RFC 9110 tokens; values are printable ASCII of at most 4 KiB. Framing headers, `Host`, `Content-*`, `Cookie`, `Proxy-*`, and `Webhook-*` are rejected.
             * @default {}
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description Secret that signs every request: `whsec_` followed by base64, as in Standard Webhooks. Null: unsigned. After a change, the previous secret also signs for 24 hours.
             * @default null
             */
            signing_secret?: string | null;
            /**
             * @description Combines the events of this many minutes into one message. Null: send each event immediately, or by `digest_schedule`. Not available with the preset `pagerduty`.
             * @default null
             */
            digest_minutes?: number | null;
            /**
             * @description Cron expression with five fields, or a shortcut such as `@weekly`, in `timezone`: combines the events in between into one message. Null: none. Can't be combined with `digest_minutes`. Not available with the preset `pagerduty`.
             * @default null
             */
            digest_schedule?: string | null;
            /**
             * @description When messages are sent. Outside of these hours they wait, and an alert that is resolved before they begin is sent once. Empty: always.
             * @default []
             */
            sending_hours?: components["schemas"]["SendingHours"][];
            /**
             * @description IANA time zone name for `sending_hours` and `digest_schedule`.
             * @default UTC
             */
            timezone?: string;
            /**
             * @description Severities whose alerts are sent at any time, regardless of `sending_hours`.
             * @default [
             *       "critical"
             *     ]
             */
            always_for?: components["schemas"]["AlertSeverity"][];
            /** @default [] */
            owners?: components["schemas"]["ChannelOwners"];
            /**
             * @description For receivers that report errors with status 2xx: what they return for success. Presets also check the responses of their platform. Null: every other 2xx response is a success.
             * @default null
             */
            success_condition?: components["schemas"]["SuccessCondition"] | null;
            /**
             * @description Whether acknowledge links require a login.
             * @default true
             */
            require_login_to_acknowledge?: boolean;
            /**
             * @description Whether the channel is active.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description Changes to a notification channel. Omitted fields keep their values; `templates`, `preset_options`, and `headers` are replaced completely. Stored secrets are never sent to a new receiver: a request that changes the origin of `url` (scheme, host, port) or the `preset` must include each secret, with a new value or removed (a header omitted from `headers`, `preset_options` `{}`, `signing_secret` null). The `token` of an issue tracker can't be removed.
         * @example {
         *       "digest_minutes": 15
         *     }
         * @example {
         *       "headers": {
         *         "X-Team": null,
         *         "X-Stage": "production"
         *       }
         *     }
         */
        UpdateNotificationChannelRequest: {
            name?: components["schemas"]["Name"];
            /** @description URL that events are posted to: `https`, or `http` where the operator allows it. Null for `email` channels. Of an issue tracker: null is `https://api.github.com` or `https://gitlab.com`. */
            url?: string | null;
            recipients?: components["schemas"]["EmailRecipients"];
            /** @description Where tickets are created: a GitHub repository (`owner/repo`), the path or ID of a GitLab project, or the key of a Jira project. Null for other types. */
            project?: string | null;
            /** @description Only for `jira`: the type of new issues, such as `Task`. */
            issue_type?: string | null;
            /** @description Only for `jira`: the email address of the account that the API token belongs to. Null for a personal access token of Jira Data Center. */
            account_email?: string | null;
            ticket_labels?: components["schemas"]["TicketLabels"];
            /** @description The token of the issue tracker, which is never returned. Required for channels that create tickets. */
            token?: string | null;
            /** @description Template for categories that don't have one. Null: none. */
            template?: components["schemas"]["TemplateBody"] | null;
            templates?: components["schemas"]["ChannelTemplates"];
            preset?: components["schemas"]["NotificationPreset"];
            preset_options?: components["schemas"]["PresetOptions"];
            /** @description Headers to send with every request, at most 20. Names are RFC 9110 tokens; values are printable ASCII of at most 4 KiB. Framing headers, `Host`, `Content-*`, `Cookie`, `Proxy-*`, and `Webhook-*` are rejected. Replaced completely; a name with null keeps its current value. */
            headers?: {
                [key: string]: string | null;
            };
            /** @description Secret that signs every request: `whsec_` followed by base64, as in Standard Webhooks. Null: unsigned. After a change, the previous secret also signs for 24 hours. */
            signing_secret?: string | null;
            /** @description Combines the events of this many minutes into one message. Null: send each event immediately, or by `digest_schedule`. Not available with the preset `pagerduty`. */
            digest_minutes?: number | null;
            /** @description Cron expression with five fields, or a shortcut such as `@weekly`, in `timezone`: combines the events in between into one message. Null: none. Can't be combined with `digest_minutes`. Not available with the preset `pagerduty`. */
            digest_schedule?: string | null;
            /** @description When messages are sent. Outside of these hours they wait, and an alert that is resolved before they begin is sent once. Empty: always. */
            sending_hours?: components["schemas"]["SendingHours"][];
            /** @description IANA time zone name for `sending_hours` and `digest_schedule`. */
            timezone?: string;
            /** @description Severities whose alerts are sent at any time, regardless of `sending_hours`. */
            always_for?: components["schemas"]["AlertSeverity"][];
            owners?: components["schemas"]["ChannelOwners"];
            /** @description For receivers that report errors with status 2xx: what they return for success. Presets also check the responses of their platform. Null: every other 2xx response is a success. */
            success_condition?: components["schemas"]["SuccessCondition"] | null;
            /** @description Whether acknowledge links require a login. */
            require_login_to_acknowledge?: boolean;
            /** @description Whether the channel is active. */
            is_active?: boolean;
        };
        /**
         * @description The receiver's response to a test notification.
         * @example {
         *       "success": true,
         *       "status_code": 200,
         *       "duration_ms": 87,
         *       "response_body": "ok",
         *       "error": null,
         *       "request_body": "{\"text\":\"This is a test.\"}",
         *       "detail": null
         *     }
         */
        NotificationChannelTestResult: {
            /** @description Whether the receiver returned 2xx, or the mail server accepted the email for every recipient. */
            success: boolean;
            /** @description Status of the response: of HTTP, or of SMTP for `email` channels. Null if there was none. */
            status_code: number | null;
            /** @description Duration in milliseconds. */
            duration_ms: number;
            /** @description The first 4 KiB of the response, with the channel's secrets masked. Null if there was none, and for roles below `admin`. */
            response_body: string | null;
            /** @description The error. Null on success. */
            error: components["schemas"]["DeliveryError"] | null;
            /** @description The body that was sent, with preset options masked; of an email, `subject`, `text`, and `html` as JSON. Null for roles below `admin`. */
            request_body: string | null;
            /** @description For channels that create tickets: the result of checking the token and the project. A test creates no ticket. For PagerDuty: set if the incident that the test opened could not be resolved. Otherwise null, also on failure. */
            detail: string | null;
        };
        /**
         * @description Counts of deliveries by status.
         * @example {
         *       "pending": 1,
         *       "in_progress": 0,
         *       "succeeded": 118,
         *       "failed": 1,
         *       "dead_letter": 2,
         *       "canceled": 0
         *     }
         */
        DeliveryStatusCounts: {
            /** @description Number of pending deliveries. */
            pending: number;
            /** @description Number of deliveries in progress. */
            in_progress: number;
            /** @description Number of succeeded deliveries. */
            succeeded: number;
            /** @description Number of failed deliveries. */
            failed: number;
            /** @description Number of dead letters. */
            dead_letter: number;
            /** @description Number of canceled deliveries. */
            canceled: number;
        };
        /**
         * @description Median and 95th percentile of the request duration, in milliseconds.
         * @example {
         *       "p50": 84,
         *       "p95": 310
         *     }
         */
        LatencyPercentiles: {
            /** @description Median. */
            p50: number;
            /** @description 95th percentile. */
            p95: number;
        };
        /**
         * @description Delivery statistics of a channel over the last days.
         * @example {
         *       "total": 122,
         *       "by_status": {
         *         "pending": 1,
         *         "in_progress": 0,
         *         "succeeded": 118,
         *         "failed": 1,
         *         "dead_letter": 2,
         *         "canceled": 0
         *       },
         *       "success_rate": 0.983,
         *       "latency_ms": {
         *         "p50": 84,
         *         "p95": 310
         *       },
         *       "last_success_at": "2026-03-15T09:30:00.000Z",
         *       "last_failure_at": "2026-03-15T08:00:00.000Z",
         *       "consecutive_failures": 0,
         *       "window_days": 30
         *     }
         */
        NotificationChannelStats: {
            /** @description Deliveries created in the window. */
            total: number;
            by_status: components["schemas"]["DeliveryStatusCounts"];
            /** @description Success rate of deliveries with an outcome, 0 to 1; canceled ones have none. Null when there are none. */
            success_rate: number | null;
            /** @description Duration of successful attempts in milliseconds. Null when there were none. */
            latency_ms: components["schemas"]["LatencyPercentiles"] | null;
            /**
             * Format: date-time
             * @description When an attempt last succeeded.
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed.
             */
            last_failure_at: string | null;
            /** @description Failed attempts since the last success. */
            consecutive_failures: number;
            /** @description Length of the window in days. */
            window_days: number;
        };
        /**
         * @description Template to validate, at most 32 KiB.
         * @example {"text": {{ alert.config_name | json }}}
         */
        TemplateText: string;
        /**
         * @description Which events a template is for. `new_alert`: alert.created, alert.escalated, alert.reminder. `acknowledged`: alert.acknowledged, alert.unacknowledged. `resolved`: alert.resolved.
         * @example new_alert
         * @enum {string}
         */
        NotificationTemplateCategory: "new_alert" | "acknowledged" | "resolved";
        /**
         * @description A webhook configuration to validate. Nothing is created, resolved, or sent.
         * @example {
         *       "url": "https://hooks.chat.example/services/T0/B0/x",
         *       "template": "{\"text\": {{ alert.config_name | json }}}",
         *       "category": "new_alert"
         *     }
         */
        ValidateWebhookConfigRequest: {
            /** @description URL to validate. */
            url: string;
            /** @description Template to validate. */
            template?: components["schemas"]["TemplateText"] | null;
            /** @description The category of the sample data. Default: `new_alert`. */
            category?: components["schemas"]["NotificationTemplateCategory"];
            /** @description Rendered when the template is missing. */
            preset?: components["schemas"]["NotificationPreset"];
        };
        /**
         * @description A problem with a webhook configuration and its location.
         * @example {
         *       "field": "url",
         *       "code": "target_not_allowed",
         *       "message": "The URL isn't allowed: the address is a private address.",
         *       "line": null,
         *       "column": null
         *     }
         */
        WebhookConfigIssue: {
            /**
             * @description The field.
             * @enum {string}
             */
            field: "url" | "template";
            /** @description Stable error code. */
            code: string;
            /** @description The error message. */
            message: string;
            /** @description Line in the template, starting at 1. Null without a location. */
            line: number | null;
            /** @description Column in that line, starting at 1. */
            column: number | null;
        };
        /**
         * @description The validation result of a webhook configuration.
         * @example {
         *       "valid": false,
         *       "errors": [
         *         {
         *           "field": "url",
         *           "code": "target_not_allowed",
         *           "message": "The URL isn't allowed: the address is a private address.",
         *           "line": null,
         *           "column": null
         *         }
         *       ],
         *       "warnings": [],
         *       "rendered": "{\"text\": \"Traefik in production\"}"
         *     }
         */
        WebhookConfigValidationResult: {
            /** @description Whether the configuration has no errors. */
            valid: boolean;
            /** @description Errors that prevent sending. */
            errors: components["schemas"]["WebhookConfigIssue"][];
            /** @description Warnings about unexpected results. */
            warnings: components["schemas"]["WebhookConfigIssue"][];
            /** @description The template rendered with sample data. Null when it can't be rendered. */
            rendered: string | null;
        };
        /**
         * @description An alert event that notification rules can match.
         * @example alert.created
         * @enum {string}
         */
        AlertEventType: "alert.created" | "alert.escalated" | "alert.acknowledged" | "alert.unacknowledged" | "alert.resolved" | "alert.reminder";
        /**
         * @description A variable available to templates of a category.
         * @example {
         *       "type": "string",
         *       "description": "Severity of the alert.",
         *       "name": "alert.severity",
         *       "example": "high"
         *     }
         */
        NotificationTemplateField: {
            /** @description Name, with dots. */
            name: string;
            /**
             * @description The type of the value.
             * @enum {string}
             */
            type: "string" | "integer" | "number" | "boolean" | "timestamp" | "map" | "list";
            /** @description Description. */
            description: string;
            /** @description An example value. */
            example: unknown;
        };
        /**
         * @description The current template of a category, its origin, and its variables.
         * @example {
         *       "category": "new_alert",
         *       "source": "global_default",
         *       "body": "{\"type\": {{ event | json }}}",
         *       "default_body": "{\"type\": {{ event | json }}}",
         *       "events": [
         *         "alert.created",
         *         "alert.escalated",
         *         "alert.reminder"
         *       ],
         *       "fields": [
         *         {
         *           "type": "string",
         *           "description": "Severity of the alert.",
         *           "name": "alert.severity",
         *           "example": "high"
         *         }
         *       ],
         *       "updated_at": null,
         *       "revision": 3
         *     }
         */
        NotificationTemplateInfo: {
            category: components["schemas"]["NotificationTemplateCategory"];
            /**
             * @description Origin of the body.
             * @enum {string}
             */
            source: "global_default" | "organization_override";
            /** @description The current body. */
            body: string;
            /** @description The global default, read-only. */
            default_body: string;
            /** @description The events of the category. */
            events: components["schemas"]["AlertEventType"][];
            /** @description The available variables. */
            fields: components["schemas"]["NotificationTemplateField"][];
            /**
             * Format: date-time
             * @description Last update of the override. Null without one.
             */
            updated_at: string | null;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description All templates, one for each category.
         * @example {
         *       "items": [
         *         {
         *           "category": "new_alert",
         *           "source": "global_default",
         *           "body": "{\"type\": {{ event | json }}}",
         *           "default_body": "{\"type\": {{ event | json }}}",
         *           "events": [
         *             "alert.created",
         *             "alert.escalated",
         *             "alert.reminder"
         *           ],
         *           "fields": [
         *             {
         *               "type": "string",
         *               "description": "Severity of the alert.",
         *               "name": "alert.severity",
         *               "example": "high"
         *             }
         *           ],
         *           "updated_at": null,
         *           "revision": 0
         *         }
         *       ]
         *     }
         */
        ListNotificationTemplatesResponse: {
            /** @description The templates, one for each category. */
            items: components["schemas"]["NotificationTemplateInfo"][];
        };
        /**
         * @description The organization's template for a category. Invalid templates are rejected with line and column.
         * @example {
         *       "body": "{\"text\": {{ alert.config_name | json }}}"
         *     }
         */
        UpdateNotificationTemplateRequest: {
            body: components["schemas"]["TemplateBody"];
        };
        /**
         * @description A template to render with sample data.
         * @example {
         *       "category": "new_alert",
         *       "body": "{\"text\": {{ alert.severity | json }}}",
         *       "sample": {
         *         "alert": {
         *           "severity": "critical"
         *         }
         *       }
         *     }
         */
        NotificationTemplatePreviewRequest: {
            category: components["schemas"]["NotificationTemplateCategory"];
            /** @description The template. Default: the category's current template. */
            body?: components["schemas"]["TemplateText"];
            /** @description Renders this preset instead when `body` is missing. */
            preset?: components["schemas"]["NotificationPreset"];
            /** @description Values that replace sample data, by variable name. */
            sample?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description A template error and its location.
         * @example {
         *       "code": "unknown_variable",
         *       "message": "unknown variable “alert.sevrity”",
         *       "line": 3,
         *       "column": 12
         *     }
         */
        TemplateIssue: {
            /** @description Stable error code. */
            code: string;
            /** @description The error message. */
            message: string;
            /** @description Line in the template, starting at 1. Null without a location. */
            line: number | null;
            /** @description Column in that line, starting at 1. */
            column: number | null;
        };
        /**
         * @description A template rendered with sample data.
         * @example {
         *       "rendered": "{\"text\": \"critical\"}",
         *       "is_valid_json": true,
         *       "errors": []
         *     }
         */
        NotificationTemplatePreviewResponse: {
            /** @description The output. Null when it can't be rendered. */
            rendered: string | null;
            /** @description Whether the output is JSON. */
            is_valid_json: boolean;
            /** @description The template's errors. */
            errors: components["schemas"]["TemplateIssue"][];
        };
        /**
         * @description Routes alerts to channels. All criteria must match.
         * @example {
         *       "id": 5,
         *       "name": "Critical alerts to operations",
         *       "description": "",
         *       "priority": 10,
         *       "severities": [
         *         "critical"
         *       ],
         *       "event_types": [],
         *       "label_matchers": [
         *         {
         *           "label": "team",
         *           "operator": "=",
         *           "value": "platform"
         *         }
         *       ],
         *       "rule_ids": [],
         *       "alert_config_ids": [],
         *       "channel_ids": [
         *         2
         *       ],
         *       "route_to_owner": false,
         *       "stop_processing": false,
         *       "is_active": true,
         *       "inactive_reason": null,
         *       "match_count": 14,
         *       "last_matched_at": "2026-03-15T09:30:00.000Z",
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 3
         *     }
         */
        NotificationRule: {
            /**
             * Format: int64
             * @description ID of the rule.
             */
            id: number;
            /** @description Name of the rule. */
            name: string;
            /** @description Optional description. Empty if not set. */
            description: string;
            /** @description Evaluation order: ascending priority, then ID. */
            priority: number;
            /** @description Severities it applies to. Empty: all. */
            severities: components["schemas"]["AlertSeverity"][];
            /** @description Events it applies to. Empty: all. */
            event_types: components["schemas"]["AlertEventType"][];
            /** @description Label conditions. All must match. */
            label_matchers: components["schemas"]["LabelMatcher"][];
            /** @description Monitoring rules it applies to. Empty: all. The list excludes deleted rules. */
            rule_ids: number[];
            /** @description Alert configurations it applies to. Empty: all. The list excludes deleted configurations. */
            alert_config_ids: number[];
            /** @description Channels to notify. Null: the default channel. Empty when all its channels were deleted; the rule is then inactive. */
            channel_ids: number[] | null;
            /** @description Whether the rule notifies the active channels whose `owners` contain the alert's owner: the value of the effective label in the setting `notification.owner_label`. If no active channel lists the owner, the rule notifies `channel_ids` instead. */
            route_to_owner: boolean;
            /** @description Whether a match skips the remaining rules. */
            stop_processing: boolean;
            /** @description Whether the rule is active. */
            is_active: boolean;
            /**
             * @description Why Pacekeeper disabled it. Null if it didn't. `criteria_deleted`: all monitoring rules or alert configurations it matched were deleted, and without them it would match other alerts. Set `rule_ids` or `alert_config_ids`, then enable it again.
             * @enum {string|null}
             */
            inactive_reason: "channel_deleted" | "criteria_deleted" | null;
            /** @description Number of matched events. */
            match_count: number;
            /**
             * Format: date-time
             * @description Last match.
             */
            last_matched_at: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description One page of notification rules, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 5,
         *           "name": "Critical alerts to operations",
         *           "description": "",
         *           "priority": 10,
         *           "severities": [
         *             "critical"
         *           ],
         *           "event_types": [],
         *           "label_matchers": [
         *             {
         *               "label": "team",
         *               "operator": "=",
         *               "value": "platform"
         *             }
         *           ],
         *           "rule_ids": [],
         *           "alert_config_ids": [],
         *           "channel_ids": [
         *             2
         *           ],
         *           "route_to_owner": false,
         *           "stop_processing": false,
         *           "is_active": true,
         *           "inactive_reason": null,
         *           "match_count": 14,
         *           "last_matched_at": "2026-03-15T09:30:00.000Z",
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z",
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListNotificationRulesResponse: {
            /** @description The notification rules of this page. */
            items: components["schemas"]["NotificationRule"][];
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
         * @description A new notification rule.
         * @example {
         *       "name": "Critical alerts to operations",
         *       "severities": [
         *         "critical"
         *       ],
         *       "channel_ids": [
         *         2
         *       ]
         *     }
         */
        CreateNotificationRuleRequest: {
            name: components["schemas"]["Name"];
            /** @default  */
            description?: components["schemas"]["Description"];
            /**
             * @description Evaluation order: ascending priority, then ID.
             * @default 100
             */
            priority?: number;
            /**
             * @description Severities it applies to. Empty: all.
             * @default []
             */
            severities?: components["schemas"]["AlertSeverity"][];
            /**
             * @description Events it applies to. Empty: all.
             * @default []
             */
            event_types?: components["schemas"]["AlertEventType"][];
            /**
             * @description Label conditions. All must match.
             * @default []
             */
            label_matchers?: components["schemas"]["LabelMatcher"][];
            /**
             * @description Monitoring rules it applies to. Empty: all.
             * @default []
             */
            rule_ids?: number[];
            /**
             * @description Alert configurations it applies to. Empty: all.
             * @default []
             */
            alert_config_ids?: number[];
            /**
             * @description Channels to notify. Null: the default channel.
             * @default null
             */
            channel_ids?: number[] | null;
            /**
             * @description Whether the rule notifies the active channels whose `owners` contain the alert's owner: the value of the effective label in the setting `notification.owner_label`. If no active channel lists the owner, the rule notifies `channel_ids` instead.
             * @default false
             */
            route_to_owner?: boolean;
            /**
             * @description Whether a match skips the remaining rules.
             * @default false
             */
            stop_processing?: boolean;
            /**
             * @description Whether the rule is active.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description Changes to a notification rule. Omitted fields keep their values; lists are replaced completely.
         * @example {
         *       "priority": 20
         *     }
         * @example {
         *       "channel_ids": null
         *     }
         */
        UpdateNotificationRuleRequest: {
            name?: components["schemas"]["Name"];
            /** @description Optional description. Null: empty. */
            description?: components["schemas"]["Description"] | null;
            /** @description Evaluation order: ascending priority, then ID. */
            priority?: number;
            /** @description Severities it applies to. Empty: all. */
            severities?: components["schemas"]["AlertSeverity"][];
            /** @description Events it applies to. Empty: all. */
            event_types?: components["schemas"]["AlertEventType"][];
            /** @description Label conditions. All must match. */
            label_matchers?: components["schemas"]["LabelMatcher"][];
            /** @description Monitoring rules it applies to. Empty: all. */
            rule_ids?: number[];
            /** @description Alert configurations it applies to. Empty: all. */
            alert_config_ids?: number[];
            /** @description Channels to notify, at least one. Null: the default channel. Empty only where it already is, because all channels were deleted. */
            channel_ids?: number[] | null;
            /** @description Whether the rule notifies the active channels whose `owners` contain the alert's owner: the value of the effective label in the setting `notification.owner_label`. If no active channel lists the owner, the rule notifies `channel_ids` instead. */
            route_to_owner?: boolean;
            /** @description Whether a match skips the remaining rules. */
            stop_processing?: boolean;
            /** @description Whether the rule is active. */
            is_active?: boolean;
        };
        /**
         * @description How often a rule matched, and the outcome of its deliveries.
         * @example {
         *       "match_count": 14,
         *       "matches_24h": 1,
         *       "matches_7d": 6,
         *       "last_matched_at": "2026-03-15T09:30:00.000Z",
         *       "deliveries": {
         *         "by_status": {
         *           "pending": 0,
         *           "in_progress": 0,
         *           "succeeded": 6,
         *           "failed": 0,
         *           "dead_letter": 0,
         *           "canceled": 0
         *         }
         *       }
         *     }
         */
        NotificationRuleStats: {
            /** @description Number of matched events. */
            match_count: number;
            /** @description Matches in the last 24 hours. */
            matches_24h: number;
            /** @description Matches in the last seven days. */
            matches_7d: number;
            /**
             * Format: date-time
             * @description Last match.
             */
            last_matched_at: string | null;
            /** @description Deliveries of events matched in the last seven days. */
            deliveries: {
                by_status: components["schemas"]["DeliveryStatusCounts"];
            };
        };
        /**
         * @description The values of a notification rule to simulate. Omitted fields have the values of the stored rule, or their defaults. Name and description don't affect the result.
         * @example {
         *       "severities": [
         *         "critical"
         *       ],
         *       "channel_ids": [
         *         2
         *       ]
         *     }
         */
        SimulatedNotificationRule: {
            name?: components["schemas"]["Name"];
            description?: components["schemas"]["Description"];
            /** @description Evaluation order: ascending priority, then ID. */
            priority?: number;
            /** @description Severities it applies to. Empty: all. */
            severities?: components["schemas"]["AlertSeverity"][];
            /** @description Events it applies to. Empty: all. */
            event_types?: components["schemas"]["AlertEventType"][];
            /** @description Label conditions. All must match. */
            label_matchers?: components["schemas"]["LabelMatcher"][];
            /** @description Monitoring rules it applies to. Empty: all. */
            rule_ids?: number[];
            /** @description Alert configurations it applies to. Empty: all. */
            alert_config_ids?: number[];
            /** @description Channels to notify. Null: the default channel. */
            channel_ids?: number[] | null;
            /** @description Whether the rule notifies the active channels whose `owners` contain the alert's owner: the value of the effective label in the setting `notification.owner_label`. If no active channel lists the owner, the rule notifies `channel_ids` instead. */
            route_to_owner?: boolean;
            /** @description Whether a match skips the remaining rules. */
            stop_processing?: boolean;
            /** @description Whether the rule is active. */
            is_active?: boolean;
        };
        /**
         * @description What to simulate: the stored notification rules, with the rule in `notification_rule` added, or in place of the stored rule `notification_rule_id`.
         * @example {
         *       "notification_rule": {
         *         "severities": [
         *           "critical"
         *         ],
         *         "channel_ids": [
         *           2
         *         ]
         *       },
         *       "days": 90
         *     }
         */
        SimulateNotificationRulesRequest: {
            notification_rule?: components["schemas"]["SimulatedNotificationRule"];
            /**
             * Format: int64
             * @description The stored rule that is replaced.
             */
            notification_rule_id?: number;
            /** @default 180 */
            days?: components["schemas"]["SimulatedDays"];
        };
        /**
         * @description Messages that each channel would have received about opened, escalated, and resolved alerts, most first. A digest is one message; reminders aren't included.
         * @example [
         *       {
         *         "channel_id": 2,
         *         "name": "Operations",
         *         "count": 30
         *       }
         *     ]
         */
        SimulatedMessages: {
            /**
             * Format: int64
             * @description ID of the channel.
             */
            channel_id: number;
            /** @description Its name. */
            name: string;
            /** @description Number of messages. */
            count: number;
        }[];
        /**
         * @description The messages that notification rules would have sent, from replaying stored releases and deployed versions under the current monitoring rules. Nothing is written or sent.
         * @example {
         *       "from": "2026-01-13T09:30:00.000Z",
         *       "to": "2026-07-12T09:30:00.000Z",
         *       "basis": "stored_dates",
         *       "configs": 120,
         *       "evaluated": 118,
         *       "events": 60,
         *       "matched": 12,
         *       "messages": [
         *         {
         *           "channel_id": 2,
         *           "name": "Operations",
         *           "count": 30
         *         }
         *       ],
         *       "compared_with": {
         *         "messages": [
         *           {
         *             "channel_id": 2,
         *             "name": "Operations",
         *             "count": 42
         *           }
         *         ]
         *       },
         *       "is_complete": true
         *     }
         */
        MessageSimulationResult: {
            /**
             * Format: date-time
             * @description Start of the simulated time.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the simulated time: now.
             */
            to: string;
            /**
             * @description As for simulations of monitoring rules.
             * @enum {string}
             */
            basis: "stored_dates";
            /** @description Alert configurations of the organization. */
            configs: number;
            /** @description Active alert configurations that were simulated. */
            evaluated: number;
            /** @description Alert events that were routed. */
            events: number;
            /** @description Events that the given notification rule matches; null without one. */
            matched: number | null;
            messages: components["schemas"]["SimulatedMessages"];
            /** @description The same with the stored notification rules alone; null without a given rule. */
            compared_with: {
                messages: components["schemas"]["SimulatedMessages"];
            } | null;
            /** @description False if 10 seconds or the setting `limits.simulated_configs` cut the simulation short. */
            is_complete: boolean;
        };
        /**
         * @description An alert event to simulate. Without an alert configuration, its monitoring rule is unknown and nothing is snoozed.
         * @example {
         *       "severity": "critical",
         *       "event_type": "alert.created",
         *       "labels": {
         *         "team": "platform"
         *       }
         *     }
         */
        SimulateNotificationRuleRequest: {
            severity: components["schemas"]["AlertSeverity"];
            event_type: components["schemas"]["AlertEventType"];
            /**
             * Format: int64
             * @description Uses the monitoring rule and the labels of this configuration, and the snooze of its open alert.
             */
            alert_config_id?: number;
            /** @description Labels of the alert, replacing those of the configuration. */
            labels?: components["schemas"]["Labels"];
        };
        /**
         * @description A rule criterion that an alert doesn't meet.
         * @example {
         *       "criterion": "severities",
         *       "expected": "critical",
         *       "actual": "moderate"
         *     }
         */
        NotificationRuleMismatch: {
            /**
             * @description The field of the rule.
             * @enum {string}
             */
            criterion: "is_active" | "severities" | "event_types" | "rule_ids" | "alert_config_ids" | "label_matchers";
            /** @description What the rule requires. */
            expected: string;
            /** @description The alert's value. */
            actual: string;
        };
        /**
         * @description A channel of the rule, and whether it would be notified.
         * @example {
         *       "id": 2,
         *       "name": "Operations",
         *       "would_notify": true,
         *       "reason": null,
         *       "fallback_reason": null,
         *       "waits_for_digest": false,
         *       "waits_until": null
         *     }
         */
        SimulatedChannel: {
            /**
             * Format: int64
             * @description ID of the channel.
             */
            id: number;
            /** @description Name of the channel. */
            name: string;
            /** @description Whether it would be notified. */
            would_notify: boolean;
            /**
             * @description Why it wouldn't be notified. Null if it would.
             * @enum {string|null}
             */
            reason: "not_matched" | "stopped_by_earlier_rule" | "snoozed" | "silenced" | "channel_inactive" | null;
            fallback_reason: components["schemas"]["FallbackReason"];
            /** @description Whether the event would be sent with the next digest of the channel. */
            waits_for_digest: boolean;
            /**
             * Format: date-time
             * @description When the channel's sending hours begin, if the message would wait for them. Null: it wouldn't wait.
             */
            waits_until: string | null;
        };
        /**
         * @description A channel that an event is routed to.
         * @example {
         *       "id": 2,
         *       "name": "Operations",
         *       "would_notify": true,
         *       "reason": null,
         *       "fallback_reason": null,
         *       "waits_for_digest": false,
         *       "waits_until": null,
         *       "notification_rule_ids": [
         *         7
         *       ]
         *     }
         */
        RoutedChannel: {
            /**
             * Format: int64
             * @description ID of the channel.
             */
            id: number;
            /** @description Name of the channel. */
            name: string;
            /** @description Whether it would be notified. */
            would_notify: boolean;
            /**
             * @description Why it wouldn't be notified. Null if it would.
             * @enum {string|null}
             */
            reason: "not_matched" | "stopped_by_earlier_rule" | "snoozed" | "silenced" | "channel_inactive" | null;
            fallback_reason: components["schemas"]["FallbackReason"];
            /** @description Whether the event would be sent with the next digest of the channel. */
            waits_for_digest: boolean;
            /**
             * Format: date-time
             * @description When the channel's sending hours begin, if the message would wait for them. Null: it wouldn't wait.
             */
            waits_until: string | null;
            /** @description The matching notification rules. Empty for the default channel when no rule matches. */
            notification_rule_ids: number[];
        };
        /**
         * @description The combined outcome of all notification rules and the default channel for the event.
         * @example {
         *       "channels": [
         *         {
         *           "id": 2,
         *           "name": "Operations",
         *           "would_notify": true,
         *           "reason": null,
         *           "fallback_reason": null,
         *           "waits_for_digest": false,
         *           "waits_until": null,
         *           "notification_rule_ids": [
         *             7
         *           ]
         *         }
         *       ],
         *       "skipped_reason": null
         *     }
         */
        SimulatedEvent: {
            /** @description Every channel that the event is routed to. */
            channels: components["schemas"]["RoutedChannel"][];
            /**
             * @description Why no notification would be sent; null when at least one channel would be notified. `no_channel`: no rule matches, and no default channel is set. `fallback_off`: no rule matches, and such alerts aren't sent to the default channel. `no_default_channel`: a rule that matches sends to the default channel, and none is set. `no_owner_channel`: a rule that matches has `route_to_owner`, no active channel lists the alert's owner, and the rule's own channels don't exist either. `channels_deleted`: the rules that match name only deleted channels. `all_channels_inactive`: every channel in `channels` is inactive. `snoozed`: the open alert of the alert configuration is snoozed. `silenced`: a silence matches the alert.
             * @enum {string|null}
             */
            skipped_reason: "no_channel" | "fallback_off" | "no_default_channel" | "no_owner_channel" | "channels_deleted" | "all_channels_inactive" | "snoozed" | "silenced" | null;
        };
        /**
         * @description What a notification rule would do with an alert event, considering all other rules, settings, and channels of the organization. Nothing is written or sent.
         * @example {
         *       "matched": true,
         *       "mismatches": [],
         *       "channels": [
         *         {
         *           "id": 2,
         *           "name": "Operations",
         *           "would_notify": true,
         *           "reason": null,
         *           "fallback_reason": null,
         *           "waits_for_digest": false,
         *           "waits_until": null
         *         }
         *       ],
         *       "reason": null,
         *       "stopped_by": null,
         *       "event": {
         *         "channels": [
         *           {
         *             "id": 2,
         *             "name": "Operations",
         *             "would_notify": true,
         *             "reason": null,
         *             "fallback_reason": null,
         *             "waits_for_digest": false,
         *             "waits_until": null,
         *             "notification_rule_ids": [
         *               7
         *             ]
         *           }
         *         ],
         *         "skipped_reason": null
         *       }
         *     }
         */
        NotificationRuleSimulationResult: {
            /** @description Whether the event meets all criteria of the rule. */
            matched: boolean;
            /** @description Criteria that aren't met; empty when the rule matches. */
            mismatches: components["schemas"]["NotificationRuleMismatch"][];
            /** @description The channels that the rule selects: the owner's channels, the rule's own channels, or the default channel. */
            channels: components["schemas"]["SimulatedChannel"][];
            /**
             * @description Why the rule would notify no channel; null when it would notify at least one. `stopped_by_earlier_rule`: the rule in `stopped_by` matches first and has `stop_processing`. `snoozed`: the open alert of the alert configuration is snoozed. `silenced`: a silence matches the alert. `no_default_channel`: the rule sends to the default channel, and none is set. `channels_deleted`: the channels of the rule were deleted. `no_owner_channel`: the rule has `route_to_owner`, no active channel lists the alert's owner, and the rule has no other channel because its channels were deleted or no default channel is set. Add the owner to the `owners` of a channel. `channel_inactive`: all its channels are inactive.
             * @enum {string|null}
             */
            reason: "not_matched" | "stopped_by_earlier_rule" | "snoozed" | "silenced" | "no_default_channel" | "no_owner_channel" | "channels_deleted" | "channel_inactive" | null;
            /** @description The earlier rule that matches and ends the evaluation; null when this rule is evaluated. */
            stopped_by: components["schemas"]["NamedReference"] | null;
            event: components["schemas"]["SimulatedEvent"];
        };
        /**
         * @description What is counted. `libyears`: from the release of the deployed version to that of the latest stable one, in years. `exposure_days`: days since the first newer stable version was released. `majors`, `minors`, and `releases`: newer versions.
         * @example libyears
         * @enum {string}
         */
        FreshnessMetric: "libyears" | "exposure_days" | "majors" | "minors" | "releases";
        /**
         * @description The freshness of several pairs of a scrape job and a gather job, at the end of a day (UTC). The point of today is as of the last measurement.
         * @example {
         *       "date": "2026-03-15",
         *       "things": 120,
         *       "known": 118,
         *       "unknown": 2,
         *       "estimated": 9,
         *       "sum": 41.2,
         *       "median": 0.2,
         *       "p90": 0.9,
         *       "targeted": 100,
         *       "within_target": 83
         *     }
         */
        FreshnessPoint: {
            /**
             * Format: date
             * @description The day, UTC.
             */
            date: string;
            /** @description Pairs with a deployed version. */
            things: number;
            /** @description Pairs whose value of the metric is known. */
            known: number;
            /** @description Pairs that can't be compared or have no date. Not included in the values. */
            unknown: number;
            /** @description Pairs with an estimated date: the day on which a release was first seen, or the date of the closest earlier release. Included in the values. */
            estimated: number;
            /** @description Sum of the metric. */
            sum: number;
            /** @description The value that half of the pairs don't exceed. */
            median: number;
            /** @description The value that 90% of the pairs don't exceed. */
            p90: number;
            /** @description Pairs with at least one target. With `target_id`, pairs whose value of its metric is known. */
            targeted: number;
            /** @description Pairs within all of their targets. With `target_id`, within this target. */
            within_target: number;
        };
        /**
         * @description The pairs with one value of a label.
         * @example {
         *       "value": "payments",
         *       "now": {
         *         "date": "2026-03-15",
         *         "things": 120,
         *         "known": 118,
         *         "unknown": 2,
         *         "estimated": 9,
         *         "sum": 41.2,
         *         "median": 0.2,
         *         "p90": 0.9,
         *         "targeted": 100,
         *         "within_target": 83
         *       },
         *       "before": null
         *     }
         */
        FreshnessGroup: {
            /** @description The value of the label. Null: pairs without the label. */
            value: string | null;
            /** @description On `until`, or now. */
            now: components["schemas"]["FreshnessPoint"];
            /** @description On `since`, or 90 days ago. Null if unknown. */
            before: components["schemas"]["FreshnessPoint"] | null;
        };
        /**
         * @description How far deployed versions are behind, over time.
         * @example {
         *       "metric": "libyears",
         *       "from": "2026-03-15",
         *       "to": "2026-03-15",
         *       "known_from": "2025-11-02",
         *       "measured_at": "2026-03-15T09:30:00.000Z",
         *       "is_complete": true,
         *       "label_keys": [
         *         "team"
         *       ],
         *       "now": {
         *         "date": "2026-03-15",
         *         "things": 120,
         *         "known": 118,
         *         "unknown": 2,
         *         "estimated": 9,
         *         "sum": 41.2,
         *         "median": 0.2,
         *         "p90": 0.9,
         *         "targeted": 100,
         *         "within_target": 83
         *       },
         *       "before": null,
         *       "points": [
         *         {
         *           "date": "2026-03-15",
         *           "things": 120,
         *           "known": 118,
         *           "unknown": 2,
         *           "estimated": 9,
         *           "sum": 41.2,
         *           "median": 0.2,
         *           "p90": 0.9,
         *           "targeted": 100,
         *           "within_target": 83
         *         }
         *       ],
         *       "groups": []
         *     }
         */
        Freshness: {
            metric: components["schemas"]["FreshnessMetric"];
            /**
             * Format: date
             * @description The first requested day, UTC.
             */
            from: string;
            /**
             * Format: date
             * @description The last requested day, UTC.
             */
            to: string;
            /**
             * Format: date
             * @description The first day with a known deployed version. Null before the past has been computed.
             */
            known_from: string | null;
            /**
             * Format: date-time
             * @description The last measurement. Null before the first.
             */
            measured_at: string | null;
            /** @description False while past days are being computed: initially, and after labels or targets change. Until then, points are missing or based on the previous labels and targets. */
            is_complete: boolean;
            /** @description The labels that freshness can be grouped by. Set with `freshness.labels`. */
            label_keys: string[];
            /** @description The latest point. Null before the first measurement. */
            now: components["schemas"]["FreshnessPoint"] | null;
            /** @description 90 days ago. Null if unknown. */
            before: components["schemas"]["FreshnessPoint"] | null;
            /** @description One point for each day on which a deployed version is known, in order. */
            points: components["schemas"]["FreshnessPoint"][];
            /** @description With `group_by`, the 100 most frequent values of the label, with the largest sum first, on `until` (default: now) and on `since` (default: 90 days ago). Otherwise empty. */
            groups: components["schemas"]["FreshnessGroup"][];
        };
        /**
         * @description One pair of a scrape job and a gather job, as of the last measurement. It has the name, labels, and version filter of its oldest active alert configuration.
         * @example {
         *       "id": 7,
         *       "alert_config": {
         *         "id": 7,
         *         "name": "payments-api in production"
         *       },
         *       "artifact_name": "github.com/nginx/nginx",
         *       "labels": {
         *         "team": "payments"
         *       },
         *       "deployed_version": "1.27.0",
         *       "latest_version": "1.29.1",
         *       "libyears": 1.12,
         *       "exposure_days": 301,
         *       "exposed_since": "2025-05-18T10:00:00.000Z",
         *       "majors": 0,
         *       "minors": 2,
         *       "releases": 9,
         *       "is_estimate": false,
         *       "is_within_target": false
         *     }
         */
        FreshnessThing: {
            /**
             * Format: int64
             * @description ID of the alert configuration.
             */
            id: number;
            /** @description The alert configuration. */
            alert_config: components["schemas"]["NamedReference"];
            /** @description The artifact of the gather job. */
            artifact_name: string;
            labels: components["schemas"]["Labels"];
            /** @description The deployed version. */
            deployed_version: string;
            /** @description The latest stable version. Null: the deployed version can't be compared. */
            latest_version: string | null;
            /** @description Libyears. Null: a date is unknown. */
            libyears: number | null;
            /** @description Days since the first newer stable version was released. Null: unknown. */
            exposure_days: number | null;
            /**
             * Format: date-time
             * @description When the first newer stable version was released. Null: none, or unknown.
             */
            exposed_since: string | null;
            /** @description Newer major versions. Null: unknown. */
            majors: number | null;
            /** @description Newer minor versions. Null: unknown. */
            minors: number | null;
            /** @description Newer stable versions. Null: unknown. */
            releases: number | null;
            /** @description Whether a date is estimated. */
            is_estimate: boolean;
            /** @description Whether it is within all of its targets. Null: no target applies. */
            is_within_target: boolean | null;
        };
        /**
         * @description One page of pairs with their freshness.
         * @example {
         *       "items": [
         *         {
         *           "id": 7,
         *           "alert_config": {
         *             "id": 7,
         *             "name": "payments-api in production"
         *           },
         *           "artifact_name": "github.com/nginx/nginx",
         *           "labels": {
         *             "team": "payments"
         *           },
         *           "deployed_version": "1.27.0",
         *           "latest_version": "1.29.1",
         *           "libyears": 1.12,
         *           "exposure_days": 301,
         *           "exposed_since": "2025-05-18T10:00:00.000Z",
         *           "majors": 0,
         *           "minors": 2,
         *           "releases": 9,
         *           "is_estimate": false,
         *           "is_within_target": false
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListFreshnessThingsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["FreshnessThing"][];
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
         * @description Third-party data that rules use, and its age.
         * @example {
         *       "name": "end_of_life",
         *       "label": "endoflife.date",
         *       "as_of": "2026-11-20T00:00:00.000Z",
         *       "loaded_at": "2026-11-20T06:00:00.000Z",
         *       "is_old": false,
         *       "product_count": 463,
         *       "is_fetched": true,
         *       "fetched_at": "2026-11-20T06:00:00.000Z",
         *       "fetch_error": null,
         *       "skipped_count": 0,
         *       "is_partial": false,
         *       "waiting": null
         *     }
         */
        ReferenceSource: {
            /**
             * @description `end_of_life`: the end-of-support dates of release lines, from endoflife.date. `vulnerabilities`: known vulnerabilities of the tracked software, from OSV.
             * @enum {string}
             */
            name: "end_of_life" | "vulnerabilities";
            /** @description Where the data comes from. */
            label: string;
            /**
             * Format: date-time
             * @description When the data was known to be current. Null if it has never been loaded.
             */
            as_of: string | null;
            /**
             * Format: date-time
             * @description When it was last loaded. Null if it has never been loaded.
             */
            loaded_at: string | null;
            /** @description Whether the data is older than 30 days. As time passes, old data neither opens nor resolves alerts. */
            is_old: boolean;
            /** @description Number of products or packages in the data. */
            product_count: number;
            /** @description Whether an agent fetches the data once a day. */
            is_fetched: boolean;
            /**
             * Format: date-time
             * @description When an agent last fetched it successfully, even if it hadn't changed. Null if never.
             */
            fetched_at: string | null;
            /** @description Why the last attempt to fetch it failed. Null if it didn't. */
            fetch_error: components["schemas"]["RunErrorCode"] | null;
            /** @description Number of packages across all organizations that the last successful fetch skipped. Their stored data is kept. */
            skipped_count: number;
            /** @description Whether the last successful fetch didn't reach all packages. The stored data of the others is kept, and the next fetch starts with them. */
            is_partial: boolean;
            /** @description Newer data that isn't used yet because it would change many results: it waits until an operator confirms it. Null if no data is waiting. */
            waiting: {
                /**
                 * Format: date-time
                 * @description When the waiting data was generated.
                 */
                as_of: string;
                /**
                 * Format: date-time
                 * @description When data started waiting.
                 */
                since: string;
                /** @description Number of your organization's results that it would change. 0 if few or none. */
                changed: number;
                /** @description Total number of results. 0 if few or none would change. */
                total: number;
            } | null;
        };
        /**
         * @description All sources of reference data.
         * @example {
         *       "items": [
         *         {
         *           "name": "end_of_life",
         *           "label": "endoflife.date",
         *           "as_of": "2026-11-20T00:00:00.000Z",
         *           "loaded_at": "2026-11-20T06:00:00.000Z",
         *           "is_old": false,
         *           "product_count": 463,
         *           "is_fetched": true,
         *           "fetched_at": "2026-11-20T06:00:00.000Z",
         *           "fetch_error": null,
         *           "skipped_count": 0,
         *           "is_partial": false,
         *           "waiting": null
         *         }
         *       ]
         *     }
         */
        ListReferenceSourcesResponse: {
            /** @description The sources. */
            items: components["schemas"]["ReferenceSource"][];
        };
        /**
         * @description A product whose release lines have known end-of-support dates.
         * @example {
         *       "name": "postgresql",
         *       "label": "PostgreSQL",
         *       "purls": [
         *         "pkg:github/postgres/postgres"
         *       ],
         *       "url": "https://endoflife.date/postgresql",
         *       "release_line_count": 25
         *     }
         */
        LifecycleProduct: {
            /** @description Name of the product in its source, such as `postgresql`. */
            name: string;
            /** @description Its display name. */
            label: string;
            /** @description Package URLs of its artifacts, without versions. Gather jobs with one of them track the product unless they say otherwise. */
            purls: components["schemas"]["PackageUrl"][];
            /**
             * Format: uri
             * @description The page of the product at the source.
             */
            url: string;
            /** @description Number of its release lines. */
            release_line_count: number;
        };
        /**
         * @description One page of lifecycle products, by name.
         * @example {
         *       "items": [
         *         {
         *           "name": "postgresql",
         *           "label": "PostgreSQL",
         *           "purls": [
         *             "pkg:github/postgres/postgres"
         *           ],
         *           "url": "https://endoflife.date/postgresql",
         *           "release_line_count": 25
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListLifecycleProductsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["LifecycleProduct"][];
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
         * @description The end of a phase of support.
         * @example {
         *       "ends_on": "2026-11-12",
         *       "has_ended": true
         *     }
         */
        LifecyclePhase: {
            /**
             * Format: date
             * @description The last day of the phase. Null if the day is unknown.
             */
            ends_on: string | null;
            /** @description Whether the phase has ended, in UTC. Null if that is unknown. */
            has_ended: boolean | null;
        };
        /**
         * @description A release line of a product, and when its support ends.
         * @example {
         *       "name": "14",
         *       "is_lts": false,
         *       "released_on": "2021-09-30",
         *       "latest_version": "14.20",
         *       "active_support": {
         *         "ends_on": null,
         *         "has_ended": null
         *       },
         *       "end_of_life": {
         *         "ends_on": "2026-11-12",
         *         "has_ended": true
         *       },
         *       "extended_support": {
         *         "ends_on": null,
         *         "has_ended": null
         *       }
         *     }
         */
        LifecycleRelease: {
            /** @description Name of the line, such as `3.11` or `22.04`. */
            name: string;
            /** @description Whether it has long-term support. */
            is_lts: boolean;
            /** @description The day of its first release. Null if unknown. */
            released_on: string | null;
            /** @description Its latest release. Null if unknown. */
            latest_version: string | null;
            active_support: components["schemas"]["LifecyclePhase"];
            end_of_life: components["schemas"]["LifecyclePhase"];
            extended_support: components["schemas"]["LifecyclePhase"];
        };
        /**
         * @description A product with its release lines.
         * @example {
         *       "name": "postgresql",
         *       "label": "PostgreSQL",
         *       "purls": [
         *         "pkg:github/postgres/postgres"
         *       ],
         *       "url": "https://endoflife.date/postgresql",
         *       "release_line_count": 1,
         *       "releases": [
         *         {
         *           "name": "14",
         *           "is_lts": false,
         *           "released_on": "2021-09-30",
         *           "latest_version": "14.20",
         *           "active_support": {
         *             "ends_on": null,
         *             "has_ended": null
         *           },
         *           "end_of_life": {
         *             "ends_on": "2026-11-12",
         *             "has_ended": true
         *           },
         *           "extended_support": {
         *             "ends_on": null,
         *             "has_ended": null
         *           }
         *         }
         *       ]
         *     }
         */
        LifecycleProductDetails: {
            /** @description Name of the product in its source, such as `postgresql`. */
            name: string;
            /** @description Its display name. */
            label: string;
            /** @description Package URLs of its artifacts, without versions. Gather jobs with one of them track the product unless they say otherwise. */
            purls: components["schemas"]["PackageUrl"][];
            /**
             * Format: uri
             * @description The page of the product at the source.
             */
            url: string;
            /** @description Number of its release lines. */
            release_line_count: number;
            /** @description Its release lines, the newest first. */
            releases: components["schemas"]["LifecycleRelease"][];
        };
        /**
         * @description The metric that a freshness target limits.
         * @example exposure_days
         * @enum {string}
         */
        FreshnessTargetMetric: "libyears" | "exposure_days" | "majors" | "minors";
        /**
         * @description How far behind deployed versions can be, and what share of them must be within that limit.
         * @example {
         *       "id": 3,
         *       "name": "Payments within 90 days",
         *       "label_matchers": [
         *         {
         *           "label": "team",
         *           "operator": "=",
         *           "value": "payments"
         *         }
         *       ],
         *       "metric": "exposure_days",
         *       "limit": 90,
         *       "goal_percent": 95,
         *       "is_active": true,
         *       "now_percent": 83.3,
         *       "known": 24,
         *       "unknown": 1,
         *       "out_of_target": 4,
         *       "forecast_30d": 2,
         *       "met_since": null,
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 1
         *     }
         */
        FreshnessTarget: {
            /**
             * Format: int64
             * @description ID of the target.
             */
            id: number;
            /** @description Name of the target. */
            name: string;
            /** @description Label conditions. All must match. */
            label_matchers: components["schemas"]["LabelMatcher"][];
            metric: components["schemas"]["FreshnessTargetMetric"];
            /** @description The highest value that is within the target. */
            limit: number;
            /** @description The share that must be within the limit. */
            goal_percent: number;
            /** @description Whether the target is active. */
            is_active: boolean;
            /** @description The share within the limit, of those whose value is known, rounded down to a tenth. Null if none is known or it hasn't been measured yet. */
            now_percent: number | null;
            /** @description Matching pairs whose value is known. */
            known: number | null;
            /** @description Matching pairs whose value is unknown. */
            unknown: number | null;
            /** @description Pairs above the limit. */
            out_of_target: number | null;
            /** @description Pairs that exceed the limit within 30 days if nothing is upgraded or released. */
            forecast_30d: number | null;
            /**
             * Format: date-time
             * @description Since when the goal has been met without interruption. Null if it isn't met.
             */
            met_since: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description One page of freshness targets, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 3,
         *           "name": "Payments within 90 days",
         *           "label_matchers": [
         *             {
         *               "label": "team",
         *               "operator": "=",
         *               "value": "payments"
         *             }
         *           ],
         *           "metric": "exposure_days",
         *           "limit": 90,
         *           "goal_percent": 95,
         *           "is_active": true,
         *           "now_percent": 83.3,
         *           "known": 24,
         *           "unknown": 1,
         *           "out_of_target": 4,
         *           "forecast_30d": 2,
         *           "met_since": null,
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z",
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListFreshnessTargetsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["FreshnessTarget"][];
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
         * @description A new freshness target.
         * @example {
         *       "name": "Payments within 90 days",
         *       "metric": "exposure_days",
         *       "limit": 90,
         *       "goal_percent": 95
         *     }
         */
        CreateFreshnessTargetRequest: {
            name: components["schemas"]["Name"];
            /**
             * @description Label conditions. All must match. Empty: everything.
             * @default []
             */
            label_matchers?: components["schemas"]["LabelMatcher"][];
            metric: components["schemas"]["FreshnessTargetMetric"];
            /** @description The highest value that is within the target. A whole number, except for libyears. */
            limit: number;
            /**
             * @description The share that must be within the limit.
             * @default 100
             */
            goal_percent?: number;
            /**
             * @description Whether the target is active.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description Changes to a freshness target. Omitted fields keep their values; lists are replaced completely.
         * @example {
         *       "goal_percent": 90
         *     }
         */
        UpdateFreshnessTargetRequest: {
            name?: components["schemas"]["Name"];
            /** @description Label conditions. All must match. Empty: everything. */
            label_matchers?: components["schemas"]["LabelMatcher"][];
            metric?: components["schemas"]["FreshnessTargetMetric"];
            /** @description The highest value that is within the target. A whole number, except for libyears. */
            limit?: number;
            /** @description The share that must be within the limit. */
            goal_percent?: number;
            /** @description Whether the target is active. */
            is_active?: boolean;
        };
        /**
         * @description Whether a silence applies. `scheduled`: it hasn't started. `active`: it applies now. `ended`: it no longer applies.
         * @example active
         * @enum {string}
         */
        SilenceStatus: "scheduled" | "active" | "ended";
        /**
         * @description A maintenance window. While it's active, no notifications are sent for alerts that it matches. All criteria must match.
         * @example {
         *       "id": 4,
         *       "label_matchers": [
         *         {
         *           "label": "team",
         *           "operator": "=",
         *           "value": "payments"
         *         }
         *       ],
         *       "rule_ids": [],
         *       "severities": [],
         *       "starts_at": "2026-03-15T08:00:00.000Z",
         *       "ends_at": "2026-03-15T12:00:00.000Z",
         *       "reason": "Database maintenance",
         *       "status": "active",
         *       "created_by": {
         *         "type": "user",
         *         "id": 3,
         *         "name": "Dana"
         *       },
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 1
         *     }
         */
        Silence: {
            /**
             * Format: int64
             * @description ID of the silence.
             */
            id: number;
            /** @description Label conditions on effective labels. All must match. */
            label_matchers: components["schemas"]["LabelMatcher"][];
            /** @description Monitoring rules it applies to. Empty: all. */
            rule_ids: number[];
            /** @description Severities it applies to. Empty: all. */
            severities: components["schemas"]["AlertSeverity"][];
            /**
             * Format: date-time
             * @description When it starts.
             */
            starts_at: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            ends_at: string;
            /** @description Why the alerts are silenced. */
            reason: string;
            status: components["schemas"]["SilenceStatus"];
            /** @description The actor who created it. */
            created_by: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description One page of silences, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 4,
         *           "label_matchers": [
         *             {
         *               "label": "team",
         *               "operator": "=",
         *               "value": "payments"
         *             }
         *           ],
         *           "rule_ids": [],
         *           "severities": [],
         *           "starts_at": "2026-03-15T08:00:00.000Z",
         *           "ends_at": "2026-03-15T12:00:00.000Z",
         *           "reason": "Database maintenance",
         *           "status": "active",
         *           "created_by": {
         *             "type": "user",
         *             "id": 3,
         *             "name": "Dana"
         *           },
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z",
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListSilencesResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["Silence"][];
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
         * @description Why the alerts are silenced. Shown with the alerts and in their activity log.
         * @example Database maintenance
         */
        SilenceReason: string;
        /**
         * @description A new silence. At least one of `label_matchers`, `rule_ids`, and `severities` is required.
         * @example {
         *       "label_matchers": [
         *         {
         *           "label": "team",
         *           "operator": "=",
         *           "value": "payments"
         *         }
         *       ],
         *       "ends_at": "2026-03-15T12:00:00.000Z",
         *       "reason": "Database maintenance"
         *     }
         */
        CreateSilenceRequest: {
            /**
             * @description Label conditions on effective labels. All must match.
             * @default []
             */
            label_matchers?: components["schemas"]["LabelMatcher"][];
            /**
             * @description Monitoring rules it applies to. Empty: all.
             * @default []
             */
            rule_ids?: number[];
            /**
             * @description Severities it applies to. Empty: all.
             * @default []
             */
            severities?: components["schemas"]["AlertSeverity"][];
            /**
             * Format: date-time
             * @description When it starts. By default, or if it's in the past, now. At most a year from now.
             */
            starts_at?: string;
            /**
             * Format: date-time
             * @description When it ends. In the future, after `starts_at`, and at most a year after it.
             */
            ends_at: string;
            reason: components["schemas"]["SilenceReason"];
        };
        /**
         * @description The criteria of a silence.
         * @example {
         *       "label_matchers": [
         *         {
         *           "label": "team",
         *           "operator": "=",
         *           "value": "payments"
         *         }
         *       ]
         *     }
         */
        PreviewSilenceRequest: {
            /**
             * @description Label conditions on effective labels. All must match.
             * @default []
             */
            label_matchers?: components["schemas"]["LabelMatcher"][];
            /**
             * @description Monitoring rules it applies to. Empty: all.
             * @default []
             */
            rule_ids?: number[];
            /**
             * @description Severities it applies to. Empty: all.
             * @default []
             */
            severities?: components["schemas"]["AlertSeverity"][];
        };
        /**
         * @description The open alerts that a silence with these criteria matches now.
         * @example {
         *       "open_alerts": 12,
         *       "open_alerts_is_exact": true
         *     }
         */
        PreviewSilenceResponse: {
            /** @description Number of matching open alerts. */
            open_alerts: number;
            /** @description False if there are too many different labels to count all of them. */
            open_alerts_is_exact: boolean;
        };
        /**
         * @description Changes to a silence. Omitted fields keep their values; lists are replaced completely.
         * @example {
         *       "ends_at": "2026-03-15T10:00:00.000Z"
         *     }
         */
        UpdateSilenceRequest: {
            /** @description Label conditions on effective labels. All must match. */
            label_matchers?: components["schemas"]["LabelMatcher"][];
            /** @description Monitoring rules it applies to. Empty: all. */
            rule_ids?: number[];
            /** @description Severities it applies to. Empty: all. */
            severities?: components["schemas"]["AlertSeverity"][];
            /**
             * Format: date-time
             * @description When it starts. Can't change once it has started.
             */
            starts_at?: string;
            /**
             * Format: date-time
             * @description When it ends. For an active silence, a time in the past ends it now.
             */
            ends_at?: string;
            reason?: components["schemas"]["SilenceReason"];
        };
        /**
         * @description Where notifications go when no rule matches, and when reminders are sent.
         * @example {
         *       "default_channel_id": 2,
         *       "fallback_to_default": true,
         *       "reminder_interval_hours": null,
         *       "is_email_available": true,
         *       "email_domains": [
         *         "example.org"
         *       ],
         *       "revision": 0
         *     }
         */
        NotificationSettings: {
            /**
             * Format: int64
             * @description The channel for events that match no rule, and for rules without channels. Null: none.
             */
            default_channel_id: number | null;
            /** @description Whether an event that no rule matches goes to the default channel. */
            fallback_to_default: boolean;
            /** @description Hours between reminders for unacknowledged alerts. Null: never. */
            reminder_interval_hours: number | null;
            /** @description Whether the operator has configured a mail server, which `email` channels require. */
            is_email_available: boolean;
            /** @description Domains whose addresses `email` channels can send to, in addition to the members' own addresses. */
            email_domains: string[];
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description Changes to the notification settings. Omitted fields keep their values.
         * @example {
         *       "default_channel_id": 2
         *     }
         * @example {
         *       "reminder_interval_hours": 24
         *     }
         */
        UpdateNotificationSettingsRequest: {
            /**
             * Format: int64
             * @description The channel for events that match no rule, and for rules without channels. Null: none.
             */
            default_channel_id?: number | null;
            /** @description Whether an event that no rule matches goes to the default channel. */
            fallback_to_default?: boolean;
            /** @description Hours between reminders for unacknowledged alerts. Null: never. */
            reminder_interval_hours?: number | null;
        };
        /**
         * @description One request to a channel's receiver, or one email.
         * @example {
         *       "number": 1,
         *       "started_at": "2026-03-15T08:00:00.000Z",
         *       "duration_ms": 102,
         *       "response_status": 503,
         *       "response_body": "busy",
         *       "error": {
         *         "code": "http_status",
         *         "message": "The receiver returned 503."
         *       }
         *     }
         */
        DeliveryAttempt: {
            /** @description Its number within the delivery, starting at 1. */
            number: number;
            /**
             * Format: date-time
             * @description Start time.
             */
            started_at: string;
            /** @description Duration in milliseconds. */
            duration_ms: number;
            /** @description Status of the response: of HTTP, or of SMTP for `email` channels. Null if there was none. */
            response_status: number | null;
            /** @description The first 4 KiB of the response, with the channel's secrets masked. Null if there was none, and for roles below `admin`. */
            response_body: string | null;
            /** @description The error. Null on success. `recipients_skipped` if an email reached only some of its recipients. */
            error: components["schemas"]["DeliveryError"] | null;
        };
        /**
         * @description A delivery of one event to one channel, with the message and its attempts.
         * @example {
         *       "id": 4001,
         *       "channel_id": 2,
         *       "channel_name": "Operations",
         *       "alert_id": 88,
         *       "event_id": "0d9f3d0e-6f0c-4f0e-9a51-2f0c1f6a7b11",
         *       "event_type": "alert.created",
         *       "status": "succeeded",
         *       "attempt_count": 2,
         *       "max_attempts": 12,
         *       "next_attempt_at": null,
         *       "waiting_for": null,
         *       "last_attempt_at": "2026-03-15T09:30:00.000Z",
         *       "response_status": 200,
         *       "duration_ms": 84,
         *       "error": null,
         *       "reason": null,
         *       "fallback_reason": null,
         *       "completed_at": "2026-03-15T09:30:00.000Z",
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T09:30:00.000Z",
         *       "payload": "{\"text\":\"Traefik in production is 45 days behind.\"}",
         *       "attempts": [
         *         {
         *           "number": 1,
         *           "started_at": "2026-03-15T08:00:00.000Z",
         *           "duration_ms": 102,
         *           "response_status": 503,
         *           "response_body": "busy",
         *           "error": {
         *             "code": "http_status",
         *             "message": "The receiver returned 503."
         *           }
         *         },
         *         {
         *           "number": 2,
         *           "started_at": "2026-03-15T09:30:00.000Z",
         *           "duration_ms": 84,
         *           "response_status": 200,
         *           "response_body": "ok",
         *           "error": null
         *         }
         *       ]
         *     }
         */
        NotificationDeliveryDetail: {
            /**
             * Format: int64
             * @description ID of the delivery.
             */
            id: number;
            /**
             * Format: int64
             * @description The channel. Null once it was deleted.
             */
            channel_id: number | null;
            /** @description Name of the channel. */
            channel_name: string;
            /**
             * Format: int64
             * @description The alert. Null when it was deleted, and for events that don't concern an alert.
             */
            alert_id: number | null;
            /**
             * Format: uuid
             * @description Event ID. The same for all channels.
             */
            event_id: string;
            event_type: components["schemas"]["NotificationEventType"];
            status: components["schemas"]["NotificationDeliveryStatus"];
            /** @description Attempts so far. */
            attempt_count: number;
            /** @description Maximum number of attempts. */
            max_attempts: number;
            /**
             * Format: date-time
             * @description Next retry. Null when there is none.
             */
            next_attempt_at: string | null;
            /** @description Why it has no next attempt. Null when it isn't waiting. */
            waiting_for: components["schemas"]["DeliveryWait"] | null;
            /**
             * Format: date-time
             * @description Last attempt.
             */
            last_attempt_at: string | null;
            /** @description Status of the last response: of HTTP, or of SMTP for `email` channels. */
            response_status: number | null;
            /** @description Duration of the last attempt in milliseconds. */
            duration_ms: number | null;
            /** @description The last error. */
            error: components["schemas"]["DeliveryError"] | null;
            /** @description Why it was canceled or failed permanently, `template_failed` if the default body was sent, or `recipients_skipped` if an email reached only some of its recipients. */
            reason: components["schemas"]["DeliveryErrorCode"] | null;
            fallback_reason: components["schemas"]["FallbackReason"];
            /**
             * Format: date-time
             * @description When it became final: succeeded, dead letter, or canceled.
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            /** @description The body that is sent; of an email, `subject`, `text`, and `html` as JSON. Values that were channel secrets when the body was written are masked, and so are acknowledge links. Null before the first attempt, for roles below `admin`, and for bodies of an earlier version. */
            payload: string | null;
            /** @description Its newest attempts, at most 100, in order. If `attempt_count` is greater than the length of the list, older attempts are omitted. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        /**
         * @description Which deliveries to retry. All given conditions must match. At most 1,000 are retried, oldest first. Those of inactive channels wait until the channel is enabled; those of deleted channels are skipped.
         * @example {
         *       "channel_id": 2,
         *       "since": "2026-03-15T08:00:00.000Z"
         *     }
         */
        RetryNotificationDeliveriesRequest: {
            /**
             * @description Filter by status.
             * @default dead_letter
             * @enum {string}
             */
            status?: "dead_letter" | "canceled";
            /**
             * Format: int64
             * @description Filter by channel.
             */
            channel_id?: number;
            /** @description Filter by event. */
            event_type?: components["schemas"]["NotificationEventType"];
            /**
             * Format: date-time
             * @description Only deliveries created at or after this time.
             */
            since?: string;
        };
        /**
         * @description The number of deliveries queued for retry.
         * @example {
         *       "retried": 37,
         *       "remaining": 0
         *     }
         */
        RetryNotificationDeliveriesResponse: {
            /** @description Number of deliveries set back to pending. */
            retried: number;
            /** @description Number of remaining matches, up to 10,000. */
            remaining: number;
        };
        /**
         * @description Feedback for the server's operators.
         * @example {
         *       "message": "Please show labels in the alert list.",
         *       "category": "idea",
         *       "page": "/alerts"
         *     }
         */
        CreateFeedbackRequest: {
            /** @description The text, 1 to 5,000 characters after trimming. */
            message: string;
            /**
             * @description The kind of feedback.
             * @enum {string}
             */
            category?: "bug" | "idea" | "other";
            /** @description The page the feedback is about. */
            page?: string;
        };
        /**
         * @description Feedback was received.
         * @example {
         *       "id": 12,
         *       "created_at": "2026-03-15T08:00:00.000Z"
         *     }
         */
        CreateFeedbackResponse: {
            /**
             * Format: int64
             * @description Its ID.
             */
            id: number;
            /**
             * Format: date-time
             * @description When it was received.
             */
            created_at: string;
        };
        /**
         * @description The credential that sends a request.
         * @example {
         *       "credential": "api_key",
         *       "role": "reporter",
         *       "organization": {
         *         "id": 2,
         *         "name": "Shop"
         *       },
         *       "api_key": {
         *         "id": 12,
         *         "name": "Pipeline"
         *       }
         *     }
         */
        Caller: {
            /**
             * @description The kind of credential.
             * @enum {string}
             */
            credential: "login" | "api_key";
            /**
             * @description The role in the organization.
             * @enum {string}
             */
            role: "owner" | "admin" | "member" | "viewer" | "reporter" | "agent";
            /** @description The organization. */
            organization: components["schemas"]["NamedReference"];
            /** @description The API key. Null: a login. */
            api_key: components["schemas"]["NamedReference"] | null;
        };
        /**
         * @description Status of a key. `inactive` keys can be enabled again; `deactivated` (revoked) and `expired` keys can't.
         * @example active
         * @enum {string}
         */
        APIKeyStatus: "active" | "inactive" | "deactivated" | "expired";
        /**
         * @description What a key can do. `viewer`, `member`, `admin`, and `owner` as for members. `agent`: only the agent API. `reporter`: only set versions and read scrape jobs.
         * @example viewer
         * @enum {string}
         */
        APIKeyRole: "viewer" | "member" | "admin" | "owner" | "agent" | "reporter";
        /**
         * @description What an agent can do: `gather:` with a source type, `scrape` (from Git), `scrape:http`, `scrape:prometheus`, `helm_sync`, `discovery`, `discovery:kubernetes`, `discovery:docker`, `reference:` with a source.
         * @example discovery:kubernetes
         */
        AgentCapability: string;
        /**
         * @description Name of a credential in an agent's configuration. The service stores names only, never the secret.
         * @example github-readonly
         */
        CredentialName: string;
        /**
         * @description An API key, without its secret.
         * @example {
         *       "id": 12,
         *       "name": "Deploy pipeline",
         *       "description": "Reports deployed versions.",
         *       "role": "reporter",
         *       "agent_capabilities": null,
         *       "agent_credential_names": null,
         *       "key_prefix": "pk_12_aB3d",
         *       "status": "active",
         *       "is_active": true,
         *       "expires_at": null,
         *       "deactivated_at": null,
         *       "last_used_at": "2026-03-15T09:30:00.000Z",
         *       "created_by": {
         *         "type": "user",
         *         "id": 3,
         *         "name": "Dana"
         *       },
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 3
         *     }
         */
        APIKey: {
            /**
             * Format: int64
             * @description ID of the key.
             */
            id: number;
            /** @description Name of the key. */
            name: string;
            /** @description Optional description. Empty if not set. */
            description: string;
            role: components["schemas"]["APIKeyRole"];
            /** @description Agent role: the only capabilities that agents with this key have. Null: no limit. */
            agent_capabilities: components["schemas"]["AgentCapability"][] | null;
            /** @description Agent role: the only credentials whose tasks agents with this key receive, besides tasks without a credential. Null: no limit. */
            agent_credential_names: components["schemas"]["CredentialName"][] | null;
            /** @description The first characters of the key, to recognize it. */
            key_prefix: string;
            status: components["schemas"]["APIKeyStatus"];
            /** @description Whether the key is active. Permanently false once it is revoked. */
            is_active: boolean;
            /**
             * Format: date-time
             * @description Expiration time. Null: never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            deactivated_at: string | null;
            /**
             * Format: date-time
             * @description When it was last used, accurate to about a minute.
             */
            last_used_at: string | null;
            /** @description Who created it. */
            created_by: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description One page of keys, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 12,
         *           "name": "Deploy pipeline",
         *           "description": "Reports deployed versions.",
         *           "role": "reporter",
         *           "agent_capabilities": null,
         *           "agent_credential_names": null,
         *           "key_prefix": "pk_12_aB3d",
         *           "status": "active",
         *           "is_active": true,
         *           "expires_at": null,
         *           "deactivated_at": null,
         *           "last_used_at": "2026-03-15T09:30:00.000Z",
         *           "created_by": {
         *             "type": "user",
         *             "id": 3,
         *             "name": "Dana"
         *           },
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z",
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListAPIKeysResponse: {
            /** @description The keys of this page. */
            items: components["schemas"]["APIKey"][];
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
         * @description A new key.
         * @example {
         *       "name": "Deploy pipeline",
         *       "role": "reporter"
         *     }
         */
        CreateAPIKeyRequest: {
            name: components["schemas"]["Name"];
            /** @default  */
            description?: components["schemas"]["Description"];
            /** @description At most the creator's role. Default: the creator's role, up to `admin`. */
            role?: components["schemas"]["APIKeyRole"];
            /**
             * Format: date-time
             * @description Expiration time, in the future. Null: never.
             * @default null
             */
            expires_at?: string | null;
            /**
             * @description Agent role: the only capabilities that agents with this key have. Null: no limit.
             * @default null
             */
            agent_capabilities?: components["schemas"]["AgentCapability"][] | null;
            /**
             * @description Agent role: the only credentials whose tasks agents with this key receive, besides tasks without a credential. Null: no limit.
             * @default null
             */
            agent_credential_names?: components["schemas"]["CredentialName"][] | null;
        };
        /**
         * @description A new key with its secret, which is returned only once.
         * @example {
         *       "api_key": {
         *         "id": 12,
         *         "name": "Deploy pipeline",
         *         "description": "Reports deployed versions.",
         *         "role": "reporter",
         *         "agent_capabilities": null,
         *         "agent_credential_names": null,
         *         "key_prefix": "pk_12_aB3d",
         *         "status": "active",
         *         "is_active": true,
         *         "expires_at": null,
         *         "deactivated_at": null,
         *         "last_used_at": null,
         *         "created_by": {
         *           "type": "user",
         *           "id": 3,
         *           "name": "Dana"
         *         },
         *         "created_at": "2026-03-15T08:00:00.000Z",
         *         "updated_at": "2026-03-15T08:00:00.000Z",
         *         "revision": 1
         *       },
         *       "key": "pk_12_aB3d…"
         *     }
         */
        CreateAPIKeyResponse: {
            api_key: components["schemas"]["APIKey"];
            /** @description The key to send as `X-API-Key`. */
            key: string;
        };
        /**
         * @description Changes to a key. Omitted fields keep their values. The role can't be changed.
         * @example {
         *       "name": "Deploy pipeline, production"
         *     }
         */
        UpdateAPIKeyRequest: {
            name?: components["schemas"]["Name"];
            /** @description Optional description. Null: empty. */
            description?: components["schemas"]["Description"] | null;
        };
        /**
         * @description Whether the person uses two-factor authentication. `enabled`: logins with the password require a code. `disabled`: they don't. `not_applicable`: the person can't access this organization with a password, because they have none or because their membership comes from the groups of a login provider. The login provider is responsible for the second factor.
         * @example enabled
         * @enum {string}
         */
        MemberTwoFactor: "enabled" | "disabled" | "not_applicable";
        /**
         * @description A person who belongs to the organization.
         * @example {
         *       "id": 3,
         *       "user_id": 3,
         *       "name": "Dana",
         *       "email": "dana@shop.example",
         *       "role": "member",
         *       "two_factor": "enabled",
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 3
         *     }
         */
        Member: {
            /**
             * Format: int64
             * @description ID of the membership.
             */
            id: number;
            /**
             * Format: int64
             * @description ID of the person.
             */
            user_id: number;
            /** @description Name of the person. */
            name: string;
            /** @description Email address. */
            email: string;
            role: components["schemas"]["MemberRole"];
            two_factor: components["schemas"]["MemberTwoFactor"];
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description A pending invitation to the organization.
         * @example {
         *       "id": 2,
         *       "email": "lee@shop.example",
         *       "role": "viewer",
         *       "expires_at": "2026-03-22T08:00:00.000Z",
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z"
         *     }
         */
        Invitation: {
            /**
             * Format: int64
             * @description ID of the invitation.
             */
            id: number;
            /** @description The invited address. */
            email: string;
            role: components["schemas"]["MemberRole"];
            /**
             * Format: date-time
             * @description Expiration time, seven days after creation.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
        };
        /**
         * @description One page of members, newest first, and the open invitations.
         * @example {
         *       "items": [
         *         {
         *           "id": 3,
         *           "user_id": 3,
         *           "name": "Dana",
         *           "email": "dana@shop.example",
         *           "role": "member",
         *           "two_factor": "enabled",
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z",
         *           "revision": 1
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0,
         *       "invitations": [
         *         {
         *           "id": 2,
         *           "email": "lee@shop.example",
         *           "role": "viewer",
         *           "expires_at": "2026-03-22T08:00:00.000Z",
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z"
         *         }
         *       ]
         *     }
         */
        ListMembersResponse: {
            /** @description The members of this page. */
            items: components["schemas"]["Member"][];
            /** @description Total number of matches, up to 10,000. */
            total: number;
            /** @description False when more than 10,000 match. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
            /** @description The newest open invitations, independent of the page. */
            invitations: components["schemas"]["Invitation"][];
        };
        /**
         * @description The invited person and role. A new invitation to an address replaces an open one.
         * @example {
         *       "email": "lee@shop.example",
         *       "role": "viewer"
         *     }
         */
        InviteMemberRequest: {
            /**
             * Format: email
             * @description Email address (case-insensitive).
             */
            email: string;
            /** @description At most the inviter's role. */
            role: components["schemas"]["MemberRole"];
        };
        /**
         * @description An invitation and its link, which is returned only once. The response is the same whether or not the address is known.
         * @example {
         *       "invitation": {
         *         "id": 2,
         *         "email": "lee@shop.example",
         *         "role": "viewer",
         *         "expires_at": "2026-03-22T08:00:00.000Z",
         *         "created_at": "2026-03-15T08:00:00.000Z",
         *         "updated_at": "2026-03-15T08:00:00.000Z"
         *       },
         *       "accept_url": "https://pacekeeper.example/invitations/accept#token=…"
         *     }
         */
        InviteMemberResponse: {
            invitation: components["schemas"]["Invitation"];
            /** @description Single-use link for the invited person. */
            accept_url: string;
        };
        /**
         * @description The new role of a member.
         * @example {
         *       "role": "admin"
         *     }
         */
        UpdateMemberRequest: {
            role: components["schemas"]["MemberRole"];
        };
        /**
         * @description What a member created that ends when the member is removed or changes roles.
         * @example {
         *       "api_keys": [
         *         {
         *           "id": 12,
         *           "name": "Deploy pipeline"
         *         }
         *       ],
         *       "api_keys_total": 1,
         *       "invitations_total": 0
         *     }
         */
        MemberChangePreview: {
            /** @description The API keys that stop working, by name (the first 20). */
            api_keys: components["schemas"]["NamedReference"][];
            /** @description Number of API keys that stop working. */
            api_keys_total: number;
            /** @description Number of open invitations that stop working. */
            invitations_total: number;
        };
        /**
         * @description A single-use password reset link, which is returned only once.
         * @example {
         *       "reset_url": "https://pacekeeper.example/reset-password#token=…",
         *       "expires_at": "2026-03-16T08:00:00.000Z"
         *     }
         */
        ResetLinkResponse: {
            /** @description Single-use link for the member. */
            reset_url: string;
            /**
             * Format: date-time
             * @description Expiration time.
             */
            expires_at: string;
        };
        /**
         * @description The sender of the events, which determines how they are verified. `github`: `X-Hub-Signature-256`. `gitlab`: `X-Gitlab-Token`. `gitea`: `X-Gitea-Signature`. `bitbucket` (Cloud and Data Center): `X-Hub-Signature`. `azure_devops`: basic authentication with any username and the secret as password. `harbor`: the secret as `Authorization`. `registry`: notifications of a container registry with `Authorization: Bearer`. `docker_hub` and `quay`: the secret as `token` in the URL. `generic`: `X-Pacekeeper-Timestamp` (Unix seconds, at most five minutes off) and `X-Pacekeeper-Signature`, which is `sha256=` and the HMAC-SHA256 of the timestamp, a dot, and the body.
         * @example github
         * @enum {string}
         */
        HookKind: "github" | "gitlab" | "gitea" | "bitbucket" | "azure_devops" | "registry" | "docker_hub" | "harbor" | "quay" | "generic";
        /**
         * @description A URL to which a platform reports pushes and new images.
         * @example {
         *       "id": 3,
         *       "name": "GitHub organization acme",
         *       "kind": "github",
         *       "url": "https://pacekeeper.example.org/hooks/q3Jk0c1vQ2m9Zk3v0bW1Qw",
         *       "last_received_at": "2026-11-21T05:10:00.000Z",
         *       "last_event_jobs": 2,
         *       "created_at": "2026-11-20T05:10:00.000Z",
         *       "updated_at": "2026-11-20T05:10:00.000Z"
         *     }
         */
        Hook: {
            /**
             * Format: int64
             * @description ID of the hook.
             */
            id: number;
            name: components["schemas"]["Name"];
            kind: components["schemas"]["HookKind"];
            /** @description Where to send events. */
            url: string;
            /**
             * Format: date-time
             * @description When the last authentic event was received, to the minute. Null before the first.
             */
            last_received_at: string | null;
            /** @description Number of jobs that the last event named. 0: the event started no jobs, because no enabled job reads a repository or artifact that it names. Null before the first event. */
            last_event_jobs: number | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
        };
        /**
         * @description The hooks of the organization, newest first. There are at most 50.
         * @example {
         *       "items": [
         *         {
         *           "id": 3,
         *           "name": "GitHub organization acme",
         *           "kind": "github",
         *           "url": "https://pacekeeper.example.org/hooks/q3Jk0c1vQ2m9Zk3v0bW1Qw",
         *           "last_received_at": null,
         *           "last_event_jobs": null,
         *           "created_at": "2026-11-20T05:10:00.000Z",
         *           "updated_at": "2026-11-20T05:10:00.000Z"
         *         }
         *       ]
         *     }
         */
        ListHooksResponse: {
            /** @description The hooks. */
            items: components["schemas"]["Hook"][];
        };
        /**
         * @description A new hook. Pacekeeper generates its URL and secret.
         * @example {
         *       "name": "GitHub organization acme",
         *       "kind": "github"
         *     }
         */
        CreateHookRequest: {
            name: components["schemas"]["Name"];
            kind: components["schemas"]["HookKind"];
        };
        /**
         * @description The new hook and its secret, which isn't returned again.
         * @example {
         *       "id": 3,
         *       "name": "GitHub organization acme",
         *       "kind": "github",
         *       "url": "https://pacekeeper.example.org/hooks/q3Jk0c1vQ2m9Zk3v0bW1Qw",
         *       "last_received_at": "2026-11-21T05:10:00.000Z",
         *       "last_event_jobs": 2,
         *       "created_at": "2026-11-20T05:10:00.000Z",
         *       "updated_at": "2026-11-20T05:10:00.000Z",
         *       "secret": "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
         *     }
         */
        CreateHookResponse: {
            /**
             * Format: int64
             * @description ID of the hook.
             */
            id: number;
            name: components["schemas"]["Name"];
            kind: components["schemas"]["HookKind"];
            /** @description Where to send events. */
            url: string;
            /**
             * Format: date-time
             * @description When the last authentic event was received, to the minute. Null before the first.
             */
            last_received_at: string | null;
            /** @description Number of jobs that the last event named. 0: the event started no jobs, because no enabled job reads a repository or artifact that it names. Null before the first event. */
            last_event_jobs: number | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            /** @description The secret to enter at the sender. */
            secret: string;
        };
        /**
         * @description Sends the audit log of the organization to a webhook or a syslog receiver.
         * @example {
         *       "id": 3,
         *       "name": "SIEM",
         *       "url": "https://siem.example.org/…",
         *       "header_names": [
         *         "Authorization"
         *       ],
         *       "pending_count": 0,
         *       "last_entry_at": "2026-11-21T05:10:00.000Z",
         *       "last_success_at": "2026-11-21T05:10:04.000Z",
         *       "failing_since": null,
         *       "last_error": null,
         *       "created_at": "2026-11-20T05:10:00.000Z",
         *       "updated_at": "2026-11-20T05:10:00.000Z"
         *     }
         */
        AuditExport: {
            /**
             * Format: int64
             * @description ID of the audit export.
             */
            id: number;
            name: components["schemas"]["Name"];
            /** @description Where entries are sent. For webhooks, the path is omitted. */
            url: string;
            /** @description Names of the headers that are sent. Their values aren't returned. */
            header_names: string[];
            /** @description Number of entries that haven't been received yet. Counted up to 1,000. */
            pending_count: number;
            /**
             * Format: date-time
             * @description When the last received entry was written. Null before the first.
             */
            last_entry_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last successful request. Null before the first.
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description When requests started to fail. Null if the last one succeeded.
             */
            failing_since: string | null;
            /** @description Why the last request failed. Null if it succeeded. */
            last_error: components["schemas"]["DeliveryError"] | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
        };
        /**
         * @description The audit exports of the organization, newest first. There are at most 50.
         * @example {
         *       "items": [
         *         {
         *           "id": 3,
         *           "name": "SIEM",
         *           "url": "https://siem.example.org/…",
         *           "header_names": [
         *             "Authorization"
         *           ],
         *           "pending_count": 0,
         *           "last_entry_at": "2026-11-21T05:10:00.000Z",
         *           "last_success_at": "2026-11-21T05:10:04.000Z",
         *           "failing_since": null,
         *           "last_error": null,
         *           "created_at": "2026-11-20T05:10:00.000Z",
         *           "updated_at": "2026-11-20T05:10:00.000Z"
         *         }
         *       ]
         *     }
         */
        ListAuditExportsResponse: {
            /** @description The audit exports. */
            items: components["schemas"]["AuditExport"][];
        };
        /**
         * @description A new audit export. For webhooks, Pacekeeper generates the signing secret.
         * @example {
         *       "name": "SIEM",
         *       "url": "https://siem.example.org/ingest/pacekeeper",
         *       "headers": {
         *         "Authorization": "Bearer 3q2-7w"
         *       },
         *       "since": "2026-11-01T00:00:00Z"
         *     }
         */
        CreateAuditExportRequest: {
            name: components["schemas"]["Name"];
            /** @description Where to send entries: an `https://` URL, `syslog+tls://HOST:PORT` (default port: 6514), or `syslog+tcp://HOST:PORT`, which isn't encrypted and requires `PACEKEEPER_ALLOW_HTTP_WEBHOOKS=true`. */
            url: string;
            /**
             * @description Headers to send with every request, at most 20, such as `Authorization`. The same rules apply as for notification channels. Must be empty for syslog.
             * @default {}
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description Also sends the entries since this time. Null: only new ones.
             * @default null
             */
            since?: string | null;
        };
        /**
         * @description The new audit export and its signing secret, which isn't returned again.
         * @example {
         *       "id": 3,
         *       "name": "SIEM",
         *       "url": "https://siem.example.org/…",
         *       "header_names": [
         *         "Authorization"
         *       ],
         *       "pending_count": 0,
         *       "last_entry_at": "2026-11-21T05:10:00.000Z",
         *       "last_success_at": "2026-11-21T05:10:04.000Z",
         *       "failing_since": null,
         *       "last_error": null,
         *       "created_at": "2026-11-20T05:10:00.000Z",
         *       "updated_at": "2026-11-20T05:10:00.000Z",
         *       "signing_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
         *     }
         */
        CreateAuditExportResponse: {
            /**
             * Format: int64
             * @description ID of the audit export.
             */
            id: number;
            name: components["schemas"]["Name"];
            /** @description Where entries are sent. For webhooks, the path is omitted. */
            url: string;
            /** @description Names of the headers that are sent. Their values aren't returned. */
            header_names: string[];
            /** @description Number of entries that haven't been received yet. Counted up to 1,000. */
            pending_count: number;
            /**
             * Format: date-time
             * @description When the last received entry was written. Null before the first.
             */
            last_entry_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last successful request. Null before the first.
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description When requests started to fail. Null if the last one succeeded.
             */
            failing_since: string | null;
            /** @description Why the last request failed. Null if it succeeded. */
            last_error: components["schemas"]["DeliveryError"] | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last update.
             */
            updated_at: string;
            /** @description Signs every request: `whsec_` followed by base64, as in Standard Webhooks. Null for syslog. */
            signing_secret: string | null;
        };
        /**
         * @description The resource type of an audit log entry.
         * @example api_key
         * @enum {string}
         */
        AuditLogResource: "api_key" | "member" | "invitation" | "setting" | "notification_template" | "notification_settings" | "rule" | "alert_config" | "gather_job" | "scrape_job" | "helm_sync_job" | "discovery_job" | "discovered_item" | "notification_channel" | "notification_rule" | "silence" | "freshness_target" | "artifact_alias" | "artifact_correction" | "hook" | "audit_export" | "organization";
        /**
         * @description A field changed by an edit. Values longer than 200 characters (lists and objects, 500) are cut and end in `…`.
         * @example {
         *       "field": "thresholds",
         *       "from": {
         *         "critical": 90
         *       },
         *       "to": {
         *         "critical": 60
         *       },
         *       "is_secret": false
         *     }
         */
        AuditLogChange: {
            /** @description API name of the field. */
            field: string;
            /** @description Previous value. Null when unset or secret. */
            from: unknown;
            /** @description New value. Null when unset or secret. */
            to: unknown;
            /** @description Whether the value is secret. If so, `from` and `to` contain only what can be shown, if anything. */
            is_secret: boolean;
        };
        /**
         * @description One edit of a resource, or another change of keys, members, and settings. Entries never change.
         * @example {
         *       "id": 77,
         *       "action": "api_key.created",
         *       "resource": "api_key",
         *       "resource_id": 12,
         *       "resource_name": "Deploy pipeline",
         *       "actor": {
         *         "type": "user",
         *         "id": 3,
         *         "name": "Dana"
         *       },
         *       "detail": {
         *         "role": "reporter"
         *       },
         *       "changes": [
         *         {
         *           "field": "name",
         *           "from": null,
         *           "to": "Deploy pipeline",
         *           "is_secret": false
         *         }
         *       ],
         *       "request_id": "3f6b9d52-8a4e-4f7b-b3c1-6f1a2d9e0c55",
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z"
         *     }
         */
        AuditLogEntry: {
            /**
             * Format: int64
             * @description ID of the entry.
             */
            id: number;
            /** @description The resource and the action. */
            action: string;
            resource: components["schemas"]["AuditLogResource"];
            /**
             * Format: int64
             * @description Its ID. Null if it has none.
             */
            resource_id: number | null;
            /** @description Its name or key at the time. */
            resource_name: string | null;
            /** @description The actor. */
            actor: components["schemas"]["Actor"];
            /** @description Details without secrets, usually the changed fields. */
            detail: {
                [key: string]: unknown;
            } | null;
            /** @description The changed fields. For a created or deleted resource, the fields that had a value. Empty for entries that aren't edits. */
            changes: components["schemas"]["AuditLogChange"][];
            /** @description ID of the request. */
            request_id: string | null;
            /**
             * Format: date-time
             * @description Time of the action.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            updated_at: string;
        };
        /**
         * @description One page of the audit log, newest first.
         * @example {
         *       "items": [
         *         {
         *           "id": 77,
         *           "action": "api_key.created",
         *           "resource": "api_key",
         *           "resource_id": 12,
         *           "resource_name": "Deploy pipeline",
         *           "actor": {
         *             "type": "user",
         *             "id": 3,
         *             "name": "Dana"
         *           },
         *           "detail": {
         *             "role": "reporter"
         *           },
         *           "changes": [
         *             {
         *               "field": "name",
         *               "from": null,
         *               "to": "Deploy pipeline",
         *               "is_secret": false
         *             }
         *           ],
         *           "request_id": "3f6b9d52-8a4e-4f7b-b3c1-6f1a2d9e0c55",
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z"
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListAuditLogResponse: {
            /** @description The audit log entries of this page. */
            items: components["schemas"]["AuditLogEntry"][];
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
         * @description State of a scrape job's worst alert configuration. `unmonitored`: no alert configuration uses the scrape job.
         * @example alerting
         * @enum {string}
         */
        SoftwareState: "ok" | "alerting" | "no_data" | "stale" | "inactive" | "unmonitored";
        /**
         * @description A scrape job with the worst result of the alert configurations that use it.
         * @example {
         *       "id": 12,
         *       "name": "Traefik in production",
         *       "labels": {
         *         "team": "platform",
         *         "environment": "production"
         *       },
         *       "is_active": true,
         *       "deployed_version": "v3.1.2",
         *       "deployed_at": "2026-01-12T10:00:00.000Z",
         *       "state": "unmonitored",
         *       "severity": null,
         *       "alert_config_count": 0,
         *       "open_alert_count": 0,
         *       "worst": null
         *     }
         */
        SoftwareItem: {
            /**
             * Format: int64
             * @description ID of the scrape job.
             */
            id: number;
            /** @description Name of the scrape job. */
            name: string;
            /** @description Labels of `worst`, or of the scrape job if it has none. */
            labels: components["schemas"]["EffectiveLabels"];
            /** @description Whether the scrape job is active. */
            is_active: boolean;
            /** @description The deployed version. Null until one is known. */
            deployed_version: string | null;
            /**
             * Format: date-time
             * @description When the deployed version was first seen. Null until one is known.
             */
            deployed_at: string | null;
            state: components["schemas"]["SoftwareState"];
            /** @description Severity of `worst`. Null within the thresholds. */
            severity: components["schemas"]["AlertSeverity"] | null;
            /** @description Alert configurations that use the scrape job. */
            alert_config_count: number;
            /** @description Their open alerts. */
            open_alert_count: number;
            /** @description The alert configuration with the worst result: by severity, then by state (alerting, stale, no_data, ok, inactive), then by how long ago the threshold was crossed. Null without alert configurations. */
            worst: components["schemas"]["AlertConfig"] | null;
        };
        /**
         * @description One page of software.
         * @example {
         *       "items": [
         *         {
         *           "id": 12,
         *           "name": "Traefik in production",
         *           "labels": {
         *             "team": "platform",
         *             "environment": "production"
         *           },
         *           "is_active": true,
         *           "deployed_version": "v3.1.2",
         *           "deployed_at": "2026-01-12T10:00:00.000Z",
         *           "state": "unmonitored",
         *           "severity": null,
         *           "alert_config_count": 0,
         *           "open_alert_count": 0,
         *           "worst": null
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListSoftwareResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["SoftwareItem"][];
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
         * @description What to do with software. `label` changes labels of the scrape job. `set_rule`, `enable`, and `disable` change its alert configurations. `delete` deletes the scrape job with its alert configurations and alerts.
         * @example label
         * @enum {string}
         */
        BulkSoftwareAction: "label" | "set_rule" | "enable" | "disable" | "delete";
        /**
         * @description One action for up to 500 items of the software list, which have the IDs of scrape jobs.
         * @example {
         *       "scrape_job_ids": [
         *         12,
         *         13
         *       ],
         *       "action": "label",
         *       "labels": {
         *         "team": "payments",
         *         "owner": null
         *       }
         *     }
         */
        ChangeSoftwareRequest: {
            /** @description Scrape job IDs. Duplicates count once. */
            scrape_job_ids: number[];
            action: components["schemas"]["BulkSoftwareAction"];
            /** @description Required for `label`: the labels to set, or null to remove one. Other labels stay. */
            labels?: {
                [key: string]: string | null;
            };
            /**
             * Format: int64
             * @description Required for `set_rule`: the rule of the alert configurations.
             */
            rule_id?: number;
            /** @description For `set_rule`, `enable`, and `disable`: change only these. Omit it for all of the scrape jobs. */
            alert_config_ids?: number[];
            /**
             * @description Returns what would change without changing anything.
             * @default false
             */
            dry_run?: boolean;
        };
        /**
         * @description A request that undoes a change. The fields are those of the request.
         * @example {
         *       "scrape_job_ids": [
         *         12,
         *         13
         *       ],
         *       "action": "label",
         *       "labels": {
         *         "team": "payments",
         *         "owner": null
         *       }
         *     }
         */
        SoftwareChange: {
            /** @description Scrape job IDs. Duplicates count once. */
            scrape_job_ids: number[];
            action: components["schemas"]["BulkSoftwareAction"];
            /** @description Required for `label`: the labels to set, or null to remove one. Other labels stay. */
            labels?: {
                [key: string]: string | null;
            };
            /**
             * Format: int64
             * @description Required for `set_rule`: the rule of the alert configurations.
             */
            rule_id?: number;
            /** @description For `set_rule`, `enable`, and `disable`: change only these. Omit it for all of the scrape jobs. */
            alert_config_ids?: number[];
        };
        /**
         * @description The outcome for each item. Every ID is in exactly one of `changed`, `unchanged`, `rejected`, and `not_found`.
         * @example {
         *       "changed": [
         *         12
         *       ],
         *       "unchanged": [
         *         13
         *       ],
         *       "rejected": [],
         *       "not_found": [],
         *       "overridden": [],
         *       "alert_config_count": 0,
         *       "open_alert_count": 0,
         *       "undo": [
         *         {
         *           "scrape_job_ids": [
         *             12
         *           ],
         *           "action": "label",
         *           "labels": {
         *             "team": null
         *           }
         *         }
         *       ]
         *     }
         */
        ChangeSoftwareResponse: {
            /** @description Scrape jobs that this call changed or, with `dry_run`, would change. */
            changed: number[];
            /** @description Scrape jobs that don't need a change. */
            unchanged: number[];
            /** @description Scrape jobs that can't be changed, each with the reason. */
            rejected: {
                /**
                 * Format: int64
                 * @description ID of the scrape job.
                 */
                id: number;
                /** @description The reason and the fix. */
                message: string;
            }[];
            /** @description Not a scrape job of this organization. IDs above 9007199254740991, which no scrape job has, are returned as 9007199254740991. */
            not_found: number[];
            /** @description Scrape jobs in `changed` or `unchanged` that have an alert configuration whose own label overrides one of `labels`. */
            overridden: number[];
            /** @description Alert configurations that the changes affect. */
            alert_config_count: number;
            /** @description Open alerts of these alert configurations. */
            open_alert_count: number;
            /** @description Requests that undo this one. Empty if nothing changed or it can't be undone. */
            undo: components["schemas"]["SoftwareChange"][];
        };
        /**
         * @description Labels of software, most frequent first.
         * @example {
         *       "items": [
         *         {
         *           "key": "team",
         *           "value": "platform",
         *           "count": 12
         *         }
         *       ],
         *       "is_complete": true
         *     }
         */
        SoftwareLabels: {
            /** @description The labels. */
            items: {
                /** @description Key of the label. */
                key: string;
                /** @description Value of the label. */
                value: string;
                /** @description Number of scrape jobs that have the label. It can be an estimate if `is_complete` is false. */
                count: number;
            }[];
            /**
             * @description False when there are more than 1,000 labels, or when counts are estimates because too many alert configurations or
             *     unmonitored scrape jobs have labels.
             */
            is_complete: boolean;
        };
        /**
         * @description The page that a view belongs to.
         * @example software
         * @enum {string}
         */
        SavedViewPage: "software" | "alerts";
        /**
         * @description The saved filters, order, and columns of a page.
         * @example {
         *       "id": 4,
         *       "page": "software",
         *       "name": "Payments in production",
         *       "is_shared": true,
         *       "search": {
         *         "label": "team=payments",
         *         "sort": "worst"
         *       },
         *       "created_at": "2026-03-15T08:00:00.000Z"
         *     }
         */
        SavedView: {
            /**
             * Format: int64
             * @description ID of the view.
             */
            id: number;
            page: components["schemas"]["SavedViewPage"];
            /** @description Name of the view. */
            name: string;
            /** @description Whether everyone in the organization sees it. */
            is_shared: boolean;
            /** @description Query parameters of the page, such as `label`, `sort`, and `columns`. */
            search: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
        };
        /**
         * @description Shared views, then those of the user, each by name.
         * @example {
         *       "items": [
         *         {
         *           "id": 4,
         *           "page": "software",
         *           "name": "Payments in production",
         *           "is_shared": true,
         *           "search": {
         *             "label": "team=payments",
         *             "sort": "worst"
         *           },
         *           "created_at": "2026-03-15T08:00:00.000Z"
         *         }
         *       ]
         *     }
         */
        ListSavedViewsResponse: {
            /** @description The views. */
            items: components["schemas"]["SavedView"][];
        };
        /**
         * @description A new view.
         * @example {
         *       "page": "software",
         *       "name": "Payments in production",
         *       "search": {
         *         "label": "team=payments"
         *       },
         *       "is_shared": true
         *     }
         */
        CreateSavedViewRequest: {
            page: components["schemas"]["SavedViewPage"];
            name: components["schemas"]["Name"];
            /**
             * @description Whether everyone in the organization sees it. Requires the member role.
             * @default false
             */
            is_shared?: boolean;
            /** @description Query parameters of the page, such as `label`, `sort`, and `columns`. */
            search: {
                [key: string]: string;
            };
        };
        /** @description A service in an environment. */
        EnvironmentMatrixCell: {
            /** @description Name of the environment. */
            environment: string;
            /** @description The deployed versions, lowest first. Several when scrape jobs, such as those of clusters, report different ones. */
            versions: {
                /** @description The version. */
                version: string;
                /** @description Number of scrape jobs that report it. */
                count: number;
                /** @description These scrape jobs. */
                scrape_job_ids: number[];
                /**
                 * Format: date-time
                 * @description When it was first seen.
                 */
                since: string;
            }[];
            /**
             * @description How the lowest version compares with the previous environment that has the service. `first`: no earlier environment has it. `different`: the versions can't be compared. `missing`: no version is known here.
             * @enum {string}
             */
            relation: "first" | "same" | "behind" | "ahead" | "different" | "missing";
            /** @description The previous environment that has the service. Null if none. */
            compared_with: string | null;
            /** @description Number of newer versions that the previous environment has had. Null unless behind. */
            releases_behind: number | null;
            /**
             * Format: date-time
             * @description When the previous environment first had one of them. Null unless behind.
             */
            behind_since: string | null;
            /**
             * Format: int64
             * @description The worst alert configuration that compares this cell with another environment. Null if none.
             */
            alert_config_id: number | null;
            /** @description Its severity. Null without a violation. */
            severity: components["schemas"]["AlertSeverity"] | null;
        };
        /** @description A service or a component of it, in each environment. */
        EnvironmentMatrixRow: {
            /** @description Name of the service. */
            service: string;
            /** @description Name of the component. Null: the service has none. */
            component: string | null;
            /** @description The highest version that an environment has. If versions can't be compared, the one deployed last. */
            newest_version: string | null;
            /** @description False if the service has more scrape jobs than the setting `limits.service_jobs`. Then only some of them are compared. */
            is_complete: boolean;
            /** @description One for each environment of the matrix, in the same order. */
            cells: components["schemas"]["EnvironmentMatrixCell"][];
        };
        /**
         * @description A page of the environment matrix.
         * @example {
         *       "environments": [
         *         "staging",
         *         "production"
         *       ],
         *       "is_complete": true,
         *       "items": [
         *         {
         *           "service": "web",
         *           "component": null,
         *           "newest_version": "1.11.2",
         *           "is_complete": true,
         *           "cells": [
         *             {
         *               "environment": "staging",
         *               "versions": [
         *                 {
         *                   "version": "1.11.2",
         *                   "count": 1,
         *                   "scrape_job_ids": [
         *                     41
         *                   ],
         *                   "since": "2026-11-12T05:10:00.000Z"
         *                 }
         *               ],
         *               "relation": "first",
         *               "compared_with": null,
         *               "releases_behind": null,
         *               "behind_since": null,
         *               "alert_config_id": null,
         *               "severity": null
         *             },
         *             {
         *               "environment": "production",
         *               "versions": [
         *                 {
         *                   "version": "1.11.0",
         *                   "count": 1,
         *                   "scrape_job_ids": [
         *                     42
         *                   ],
         *                   "since": "2026-11-02T05:10:00.000Z"
         *                 }
         *               ],
         *               "relation": "behind",
         *               "compared_with": "staging",
         *               "releases_behind": 2,
         *               "behind_since": "2026-11-10T05:10:00.000Z",
         *               "alert_config_id": 31,
         *               "severity": "moderate"
         *             }
         *           ]
         *         }
         *       ],
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        EnvironmentMatrix: {
            /** @description The environments, in the configured order. Each row has a cell for each of them. */
            environments: string[];
            /** @description False if the organization has more environments than the setting `limits.environments`. Then only the first ones in alphabetical order are compared. */
            is_complete: boolean;
            /** @description The rows of this page. */
            items: components["schemas"]["EnvironmentMatrixRow"][];
            /** @description Total number of rows, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 rows, or more than 5,000 services that may have drift. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description Which services to compare, in which environments, and the rule.
         * @example {
         *       "environment": "production",
         *       "compare_with": "staging",
         *       "rule_id": 7
         *     }
         */
        CompareEnvironmentsRequest: {
            /** @description The environment to monitor. */
            environment: string;
            /** @description The environment to compare with, such as staging. */
            compare_with: string;
            /**
             * Format: int64
             * @description The monitoring rule of the alert configurations.
             */
            rule_id: number;
            /** @description Only this service. */
            service?: string;
            /** @description Only services or components whose names contain this. */
            q?: string;
            /** @description Only services with a scrape job that has this label, as `key=value`. */
            label?: components["schemas"]["LabelFilter"];
            /**
             * @description Return the comparisons without creating anything.
             * @default false
             */
            dry_run?: boolean;
        };
        /**
         * @description The created comparisons or, with `dry_run`, those that would be created.
         * @example {
         *       "created": {
         *         "gather_jobs": 1,
         *         "alert_configs": 1
         *       },
         *       "existing_count": 0,
         *       "disabled_count": 0,
         *       "uncompared_count": 0,
         *       "items": [
         *         {
         *           "service": "web",
         *           "component": null,
         *           "scrape_job_id": 42,
         *           "compared_scrape_job_id": 41,
         *           "gather_job_id": 9,
         *           "alert_config_id": 31,
         *           "is_new": true
         *         }
         *       ]
         *     }
         */
        CompareEnvironmentsResponse: {
            /** @description Number of new resources. */
            created: {
                /** @description Number of gather jobs. */
                gather_jobs: number;
                /** @description Number of alert configurations. */
                alert_configs: number;
            };
            /** @description Alert configurations that already existed and are active. */
            existing_count: number;
            /** @description Alert configurations that already existed but are inactive. They stay inactive. */
            disabled_count: number;
            /** @description Scrape jobs of services that the other environment doesn't have. */
            uncompared_count: number;
            /** @description The comparisons by service, at most 200. */
            items: {
                /** @description Name of the service. */
                service: string;
                /** @description Name of the component. Null: the service has none. */
                component: string | null;
                /**
                 * Format: int64
                 * @description The scrape job to monitor.
                 */
                scrape_job_id: number;
                /**
                 * Format: int64
                 * @description The scrape job to compare with.
                 */
                compared_scrape_job_id: number;
                /**
                 * Format: int64
                 * @description The gather job with the versions of that scrape job. Null if it doesn't exist yet.
                 */
                gather_job_id: number | null;
                /**
                 * Format: int64
                 * @description The alert configuration. Null if it doesn't exist yet.
                 */
                alert_config_id: number | null;
                /** @description Whether the alert configuration is, or would be, created. */
                is_new: boolean;
            }[];
        };
        /**
         * @description A version and when an environment first had it.
         * @example {
         *       "version": "1.11.2",
         *       "since": "2026-11-12T05:10:00.000Z"
         *     }
         */
        SeenVersion: {
            /** @description The version. */
            version: string;
            /**
             * Format: date-time
             * @description When it was first seen.
             */
            since: string;
        };
        /** @description How the versions of a service moved from one environment to another. */
        Promotions: {
            /** @description Name of the service. */
            service: string;
            /** @description Name of the component. Null: the service has none. */
            component: string | null;
            /** @description The earlier environment. */
            from: string;
            /** @description The later environment. */
            to: string;
            /** @description How late a version can be seen: the longest interval between runs of the scrape jobs. 0 if all versions are set manually or by CI. Null if a scrape job has no schedule. */
            interval_seconds: number | null;
            /** @description False if the service has more scrape jobs than the setting `limits.service_jobs`. Then only some of them are compared. */
            is_complete: boolean;
            /** @description Versions that both environments have had. Excludes versions that an environment already had when Pacekeeper first read it, because their arrival is unknown. */
            promoted: number;
            /** @description Median time from first seen in the earlier environment to first seen in the later one. Negative if reversed. */
            median_seconds: number | null;
            /** @description 90th percentile of the same. */
            p90_seconds: number | null;
            /** @description Promoted versions that the later environment had first. */
            reversed: number;
            /** @description Versions that never reached the later environment, which has had a higher or a later one. Excludes versions from before Pacekeeper first read the later environment. */
            skipped: number;
            /** @description The newest of these versions, newest first. */
            skipped_versions: components["schemas"]["SeenVersion"][];
            /** @description Versions that are still under way. */
            in_flight_count: number;
            /** @description The newest of these versions, newest first. */
            in_flight: components["schemas"]["SeenVersion"][];
        };
        /** @description Combined figures for all services that match the filters, not only those on the page. */
        PromotionSummary: {
            /** @description Number of services and components in these figures. Less than `total` if there are more version changes than Pacekeeper reads for a summary; the figures then cover the first ones by name. */
            service_count: number;
            /** @description Versions that both environments have had. Excludes versions that an environment already had when Pacekeeper first read it, because their arrival is unknown. */
            promoted: number;
            /** @description Median time from first seen in the earlier environment to first seen in the later one. Negative if reversed. */
            median_seconds: number | null;
            /** @description 90th percentile of the same. */
            p90_seconds: number | null;
            /** @description Promoted versions that the later environment had first. */
            reversed: number;
            /** @description Versions that never reached the later environment, which has had a higher or a later one. Excludes versions from before Pacekeeper first read the later environment. */
            skipped: number;
            /** @description Versions that are still under way. */
            in_flight_count: number;
            /** @description How late a version can be seen: the longest interval between runs of the scrape jobs. 0 if all versions are set manually or by CI. Null if a scrape job has no schedule. */
            interval_seconds: number | null;
        };
        /**
         * @description A page of promotions.
         * @example {
         *       "items": [
         *         {
         *           "service": "web",
         *           "component": null,
         *           "from": "staging",
         *           "to": "production",
         *           "interval_seconds": 900,
         *           "is_complete": true,
         *           "promoted": 12,
         *           "median_seconds": 3600,
         *           "p90_seconds": 86400,
         *           "reversed": 0,
         *           "skipped": 1,
         *           "skipped_versions": [
         *             {
         *               "version": "1.10.4",
         *               "since": "2026-11-01T05:10:00.000Z"
         *             }
         *           ],
         *           "in_flight_count": 1,
         *           "in_flight": [
         *             {
         *               "version": "1.11.2",
         *               "since": "2026-11-12T05:10:00.000Z"
         *             }
         *           ]
         *         }
         *       ],
         *       "summary": {
         *         "service_count": 1,
         *         "promoted": 12,
         *         "median_seconds": 3600,
         *         "p90_seconds": 86400,
         *         "reversed": 0,
         *         "skipped": 1,
         *         "in_flight_count": 1,
         *         "interval_seconds": 900
         *       },
         *       "is_complete": true,
         *       "total": 1,
         *       "total_is_exact": true,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        ListPromotionsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["Promotions"][];
            summary: components["schemas"]["PromotionSummary"];
            /** @description False if the organization has more environments than the setting `limits.environments`. Then only the first ones in alphabetical order are compared. */
            is_complete: boolean;
            /** @description Number of matching services and components, up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000. */
            total_is_exact: boolean;
            /** @description The applied limit. */
            limit: number;
            /** @description The applied offset. */
            offset: number;
        };
        /**
         * @description Job counts of one kind, including global jobs.
         * @example {
         *       "total": 12,
         *       "active": 11,
         *       "in_progress": 1,
         *       "failed": 0
         *     }
         */
        JobCounts: {
            /** @description All jobs. */
            total: number;
            /** @description Active jobs. */
            active: number;
            /** @description Running jobs. */
            in_progress: number;
            /** @description Active jobs whose last run failed. */
            failed: number;
        };
        /**
         * @description An active job whose last run failed.
         * @example {
         *       "kind": "scrape",
         *       "id": 4,
         *       "name": "Traefik, production",
         *       "error": {
         *         "code": "file_not_found",
         *         "message": "File traefik/values.yaml not found in the repository."
         *       },
         *       "failed_at": "2026-03-15T08:00:00.000Z"
         *     }
         */
        FailedJob: {
            kind: components["schemas"]["TaskKind"];
            /**
             * Format: int64
             * @description ID of the job.
             */
            id: number;
            /** @description Name of the job. */
            name: string;
            /** @description The reason. */
            error: components["schemas"]["RunError"];
            /**
             * Format: date-time
             * @description Time of the failure.
             */
            failed_at: string;
        };
        /**
         * @description The overview: current status, and what needs attention first.
         * @example {
         *       "generated_at": "2026-03-15T09:30:00.000Z",
         *       "alerts": {
         *         "open": 7,
         *         "unacknowledged": 5,
         *         "acknowledged": 2,
         *         "resolved": 40,
         *         "by_severity": {
         *           "moderate": 4,
         *           "high": 2,
         *           "critical": 1
         *         },
         *         "unacknowledged_by_severity": {
         *           "moderate": 3,
         *           "high": 2,
         *           "critical": 0
         *         }
         *       },
         *       "top_alerts": [
         *         {
         *           "id": 88,
         *           "alert_config_id": 31,
         *           "alert_config_name": "Traefik in production",
         *           "rule_id": 7,
         *           "rule_name": "Ninety days",
         *           "rule_type": "days_behind",
         *           "severity": "moderate",
         *           "status": "acknowledged",
         *           "reason": "behind",
         *           "discovered_version": "v3.1.2",
         *           "latest_version": "v3.3.4",
         *           "behind_by": 45,
         *           "ends_at": null,
         *           "days_left": null,
         *           "crossed_at": "2026-02-28T10:12:00.000Z",
         *           "is_estimate": false,
         *           "artifact_name": "github.com/traefik/traefik",
         *           "repository_url": "https://git.example/platform/deploy.git",
         *           "target_file": "traefik/values.yaml",
         *           "release_url": "https://github.com/traefik/traefik/releases/tag/v3.3.4",
         *           "labels": {
         *             "team": "platform"
         *           },
         *           "assignee": null,
         *           "acknowledged_at": "2026-03-15T09:30:00.000Z",
         *           "acknowledged_by": {
         *             "type": "user",
         *             "id": 3,
         *             "name": "Dana"
         *           },
         *           "escalated_at": null,
         *           "snoozed_until": null,
         *           "snoozed_until_version_changes": false,
         *           "silence": null,
         *           "resolved_at": null,
         *           "resolved_by": null,
         *           "resolution": null,
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T09:30:00.000Z"
         *         }
         *       ],
         *       "alerts_by_day": [
         *         {
         *           "date": "2026-03-14",
         *           "opened": 2,
         *           "resolved": 1
         *         },
         *         {
         *           "date": "2026-03-15",
         *           "opened": 1,
         *           "resolved": 0
         *         }
         *       ],
         *       "alert_configs": {
         *         "total": 120,
         *         "warnings": 1,
         *         "by_state": {
         *           "ok": 110,
         *           "alerting": 7,
         *           "no_data": 2,
         *           "stale": 0,
         *           "inactive": 1
         *         }
         *       },
         *       "jobs": {
         *         "gather": {
         *           "total": 12,
         *           "active": 11,
         *           "in_progress": 1,
         *           "failed": 0
         *         },
         *         "scrape": {
         *           "total": 40,
         *           "active": 40,
         *           "in_progress": 0,
         *           "failed": 1
         *         },
         *         "helm_sync": {
         *           "total": 2,
         *           "active": 2,
         *           "in_progress": 0,
         *           "failed": 0
         *         },
         *         "discovery": {
         *           "total": 1,
         *           "active": 1,
         *           "in_progress": 0,
         *           "failed": 0
         *         }
         *       },
         *       "failed_jobs": [
         *         {
         *           "kind": "scrape",
         *           "id": 4,
         *           "name": "Traefik, production",
         *           "error": {
         *             "code": "file_not_found",
         *             "message": "File traefik/values.yaml not found in the repository."
         *           },
         *           "failed_at": "2026-03-15T08:00:00.000Z"
         *         }
         *       ],
         *       "next_runs": [
         *         {
         *           "kind": "gather",
         *           "id": 9,
         *           "name": "Traefik releases",
         *           "next_run_at": "2026-03-15T10:00:12.000Z"
         *         }
         *       ],
         *       "reference_sources": [
         *         {
         *           "name": "end_of_life",
         *           "label": "endoflife.date",
         *           "as_of": "2026-03-14T00:00:00.000Z",
         *           "loaded_at": "2026-03-14T06:00:00.000Z",
         *           "is_old": false,
         *           "product_count": 463,
         *           "is_fetched": true,
         *           "fetched_at": "2026-03-14T06:00:00.000Z",
         *           "fetch_error": null,
         *           "skipped_count": 0,
         *           "is_partial": false,
         *           "waiting": null
         *         }
         *       ],
         *       "deliveries_24h": {
         *         "pending": 0,
         *         "in_progress": 0,
         *         "succeeded": 14,
         *         "failed": 0,
         *         "dead_letter": 0,
         *         "canceled": 0
         *       },
         *       "channels": {
         *         "total": 3,
         *         "active": 3,
         *         "failing": 0
         *       },
         *       "agents": {
         *         "online": 2,
         *         "offline": 0
         *       }
         *     }
         */
        Overview: {
            /**
             * Format: date-time
             * @description Time of the counts.
             */
            generated_at: string;
            alerts: components["schemas"]["AlertSummary"];
            /** @description Open alerts that no one acknowledged, worst first as in `sort=worst`, at most 10. */
            top_alerts: components["schemas"]["Alert"][];
            /** @description Alerts opened and resolved on each of the last 30 days, including today, oldest first. Days are UTC. */
            alerts_by_day: {
                /**
                 * Format: date
                 * @description The day.
                 */
                date: string;
                /** @description Alerts opened on that day. */
                opened: number;
                /** @description Alerts resolved on that day. */
                resolved: number;
            }[];
            /** @description Alert configurations by state. */
            alert_configs: {
                /** @description Total. */
                total: number;
                /** @description Configurations in state `ok` with a warning (`ahead_of_upstream`, `variant_ended`, or `numbering_ended`). */
                warnings: number;
                /** @description Counts by state. */
                by_state: {
                    /** @description Number of ok configurations. */
                    ok: number;
                    /** @description Number of alerting configurations. */
                    alerting: number;
                    /** @description Number of configurations without data. */
                    no_data: number;
                    /** @description Number of stale configurations. */
                    stale: number;
                    /** @description Number of inactive configurations. */
                    inactive: number;
                };
            };
            /** @description Jobs by kind. */
            jobs: {
                gather: components["schemas"]["JobCounts"];
                scrape: components["schemas"]["JobCounts"];
                helm_sync: components["schemas"]["JobCounts"];
                discovery: components["schemas"]["JobCounts"];
            };
            /** @description Active jobs whose last run failed, newest first, at most 10. */
            failed_jobs: components["schemas"]["FailedJob"][];
            /** @description The organization's active jobs that run next, soonest first, at most 5. */
            next_runs: {
                kind: components["schemas"]["TaskKind"];
                /**
                 * Format: int64
                 * @description ID of the job.
                 */
                id: number;
                /** @description Name of the job. */
                name: string;
                /**
                 * Format: date-time
                 * @description Next run.
                 */
                next_run_at: string;
            }[];
            /** @description Reference data that enabled rules of the organization use, and its age. */
            reference_sources: components["schemas"]["ReferenceSource"][];
            /** @description Deliveries created in the last 24 hours. */
            deliveries_24h: components["schemas"]["DeliveryStatusCounts"];
            /** @description Notification channels. */
            channels: {
                /** @description All channels. */
                total: number;
                /** @description Active jobs. */
                active: number;
                /** @description Active channels that are failing. */
                failing: number;
            };
            /** @description Agents by status. */
            agents: {
                /** @description Online agents. */
                online: number;
                /** @description Offline agents. */
                offline: number;
            };
        };
        /**
         * @description The resource type.
         * @example gather_job
         * @enum {string}
         */
        ChangeEventResource: "gather_job" | "scrape_job" | "helm_sync_job" | "discovery_job" | "release" | "version" | "agent" | "setting" | "rule" | "alert_config" | "alert" | "notification_channel" | "notification_template" | "notification_rule" | "silence" | "freshness_target" | "artifact_alias" | "artifact_correction" | "hook" | "audit_export" | "notification_settings" | "notification_delivery" | "api_key" | "member";
        /**
         * @description The `data` of a server-sent event: a resource of the organization changed. It names what to fetch again and contains no content.
         * @example {
         *       "resource": "alert",
         *       "id": 88,
         *       "change": "updated"
         *     }
         */
        ChangeEvent: {
            resource: components["schemas"]["ChangeEventResource"];
            /**
             * Format: int64
             * @description Its ID. Null when several changed or it has none.
             */
            id: number | null;
            /**
             * @description The type of change.
             * @enum {string}
             */
            change: "created" | "updated" | "deleted";
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
        /** @description The resource's revision differs from the one in `If-Match`, because it was changed after the caller read it (`precondition_failed`). Nothing was changed; `ETag` is the current revision. */
        PreconditionFailed: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 412,
                 *       "code": "precondition_failed",
                 *       "title": "The resource changed after you read it.",
                 *       "detail": "The resource changed after you read it. Fetch it again, then repeat your change with the new ETag in If-Match.",
                 *       "request_id": "4f1c7d0e-6a0b-4d53-9b1f-0d2f2c1a7e55"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The changes differ from the plan (`precondition_failed`). Nothing was applied. Plan the configuration again. */
        PlanOutdated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 412,
                 *       "code": "precondition_failed",
                 *       "title": "The resource changed after you read it.",
                 *       "detail": "The changes differ from the plan. Plan the configuration again.",
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
         * @description Filter by name (substring, case-insensitive).
         * @example nginx
         */
        Search: string;
        /**
         * @description The ID of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
         * @example 42
         */
        Id: number;
        /**
         * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
         * @example "3"
         */
        IfMatch: string;
        /**
         * @description Also delete the alert configurations that use it, with their alerts. Without it, a job in use isn't deleted (409 `in_use`).
         * @example true
         */
        Cascade: boolean;
        /**
         * @description Only items at or after this time (RFC 3339).
         * @example 2026-11-01T00:00:00.000Z
         */
        Since: string;
        /**
         * @description Filter by whether the resource is active.
         * @example true
         */
        IsActive: boolean;
        /**
         * @description Filter by severity.
         * @example high
         */
        Severity: components["schemas"]["AlertSeverity"];
        /**
         * @description Filter by monitoring rule.
         * @example 7
         */
        RuleId: number;
        /**
         * @description Filter by label, as `key=value`.
         * @example team=platform
         */
        Label: components["schemas"]["LabelFilter"];
        /**
         * @description Whether to exclude acknowledged alerts.
         * @example true
         */
        UnacknowledgedOnly: boolean;
        /**
         * @description Filter by alert configuration.
         * @example 31
         */
        AlertConfigId: number;
        /**
         * @description Filter by scrape job.
         * @example 4
         */
        ScrapeJobId: number;
        /**
         * @description Filter by gather job.
         * @example 9
         */
        GatherJobId: number;
        /**
         * @description Key of the setting.
         * @example delivery.timeout_seconds
         */
        SettingKey: string;
        /**
         * @description Category of the template.
         * @example new_alert
         */
        TemplateCategory: components["schemas"]["NotificationTemplateCategory"];
        /**
         * @description Filter by notification channel.
         * @example 2
         */
        ChannelId: number;
        /**
         * @description Filter by status.
         * @example dead_letter
         */
        DeliveryStatus: components["schemas"]["NotificationDeliveryStatus"];
        /**
         * @description Filter by event.
         * @example alert.created
         */
        EventType: string;
        /**
         * @description Filter by alert.
         * @example 88
         */
        AlertId: number;
        /**
         * @description Only items before this time (RFC 3339).
         * @example 2026-12-01T00:00:00.000Z
         */
        Until: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The path of the created resource.
         * @example /api/v1/client/rules/12
         */
        Location: string;
        /**
         * @description The `revision` of the resource in quotes. Changes to its fields increment it; runs, evaluations, and health don't.
         * @example "3"
         */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listGatherJobs: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example name
                 */
                sort?: components["schemas"]["JobSort"];
                /**
                 * @description Filter by scope: `organization` or `global`.
                 * @example organization
                 */
                scope?: components["schemas"]["Scope"];
                /**
                 * @description Only jobs of this status.
                 * @example failed
                 */
                status?: components["schemas"]["JobStatus"];
                /**
                 * @description Only active, or only inactive ones.
                 * @example true
                 */
                is_active?: boolean;
                /**
                 * @description Only jobs of this source type.
                 * @example github_releases
                 */
                source_type?: components["schemas"]["ReleaseSourceType"];
                /**
                 * @description Only jobs created by this helm sync job.
                 * @example 5
                 */
                helm_sync_job_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of gather jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListGatherJobsResponse"];
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
    createGatherJob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGatherJobRequest"];
            };
        };
        responses: {
            /** @description The new gather job. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatherJob"];
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
    previewGatherJob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewGatherJobRequest"];
            };
        };
        responses: {
            /** @description The lines and variants. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewGatherJobResponse"];
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
    previewGatherSource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewGatherSourceRequest"];
            };
        };
        responses: {
            /** @description The releases, or a detailed error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewGatherSourceResponse"];
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
    getGatherJob: {
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
            /** @description The gather job. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatherJob"];
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
    updateGatherJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateGatherJobRequest"];
            };
        };
        responses: {
            /** @description The updated gather job. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatherJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteGatherJob: {
        parameters: {
            query?: {
                /**
                 * @description Also delete the alert configurations that use it, with their alerts. Without it, a job in use isn't deleted (409 `in_use`).
                 * @example true
                 */
                cascade?: components["parameters"]["Cascade"];
            };
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The job was deleted. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    runGatherJob: {
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
            /** @description The gather job. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatherJob"];
                };
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
    clearGatherJobReleases: {
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
            /** @description How many releases were deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClearReleasesResponse"];
                };
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
    listGatherJobRuns: {
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
                 * @description Only runs of this status.
                 * @example failed
                 */
                status?: components["schemas"]["RunStatus"];
            };
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
            /** @description A page of runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunsResponse"];
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
    getGatherJobReleaseNotes: {
        parameters: {
            query?: {
                /**
                 * @description The version after which releases are listed. Default: from the first release.
                 * @example 1.9.0
                 */
                from?: string;
                /**
                 * @description The last version. Default: the latest stable version.
                 * @example 2.0.0
                 */
                to?: string;
                /**
                 * @description Whether to list pre-releases. Default: no.
                 * @example false
                 */
                include_prereleases?: boolean;
                /**
                 * @description Maximum number of releases to list. All are counted.
                 * @example 20
                 */
                limit?: number;
            };
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
            /** @description The release notes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleaseNotes"];
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
    listScrapeJobs: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example name
                 */
                sort?: components["schemas"]["JobSort"];
                /**
                 * @description Only jobs of this status.
                 * @example failed
                 */
                status?: components["schemas"]["JobStatus"];
                /**
                 * @description Only active, or only inactive ones.
                 * @example true
                 */
                is_active?: boolean;
                /**
                 * @description Only jobs with this parser.
                 * @example manual
                 */
                parser_type?: components["schemas"]["ScrapeJobParserType"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of scrape jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListScrapeJobsResponse"];
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
    createScrapeJob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateScrapeJobRequest"];
            };
        };
        responses: {
            /** @description The new scrape job. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeJob"];
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
    getScrapeJob: {
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
            /** @description The scrape job. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeJob"];
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
    updateScrapeJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateScrapeJobRequest"];
            };
        };
        responses: {
            /** @description The updated scrape job. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteScrapeJob: {
        parameters: {
            query?: {
                /**
                 * @description Also delete the alert configurations that use it, with their alerts. Without it, a job in use isn't deleted (409 `in_use`).
                 * @example true
                 */
                cascade?: components["parameters"]["Cascade"];
            };
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The job was deleted. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listScrapeJobVersions: {
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
                 * @description Only versions that differ from the previous one.
                 * @example true
                 */
                changes_only?: boolean;
                /**
                 * @description Only items at or after this time (RFC 3339).
                 * @example 2026-11-01T00:00:00.000Z
                 */
                since?: components["parameters"]["Since"];
            };
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
            /** @description A page of versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListVersionsResponse"];
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
    runScrapeJob: {
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
            /** @description The scrape job. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeJob"];
                };
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
    setScrapeJobVersion: {
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
                "application/json": components["schemas"]["SetVersionRequest"];
            };
        };
        responses: {
            /** @description The new version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Version"];
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
    listScrapeJobRuns: {
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
                 * @description Only runs of this status.
                 * @example failed
                 */
                status?: components["schemas"]["RunStatus"];
            };
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
            /** @description A page of runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunsResponse"];
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
    previewScrapeJob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewScrapeJobRequest"];
            };
        };
        responses: {
            /** @description The validation result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewScrapeJobResponse"];
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
    previewScrapeSource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewScrapeSourceRequest"];
            };
        };
        responses: {
            /** @description The version, or a detailed error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewScrapeSourceResponse"];
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
    listHelmSyncJobs: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example name
                 */
                sort?: components["schemas"]["JobSort"];
                /**
                 * @description Filter by scope: `organization` or `global`.
                 * @example organization
                 */
                scope?: components["schemas"]["Scope"];
                /**
                 * @description Only jobs of this status.
                 * @example failed
                 */
                status?: components["schemas"]["JobStatus"];
                /**
                 * @description Only active, or only inactive ones.
                 * @example true
                 */
                is_active?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of helm sync jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListHelmSyncJobsResponse"];
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
    createHelmSyncJob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateHelmSyncJobRequest"];
            };
        };
        responses: {
            /** @description The new helm sync job. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HelmSyncJob"];
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
    getHelmSyncJob: {
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
            /** @description The helm sync job. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HelmSyncJob"];
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
    updateHelmSyncJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateHelmSyncJobRequest"];
            };
        };
        responses: {
            /** @description The updated helm sync job. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HelmSyncJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteHelmSyncJob: {
        parameters: {
            query?: {
                /**
                 * @description Also delete the alert configurations that use it, with their alerts. Without it, a job in use isn't deleted (409 `in_use`).
                 * @example true
                 */
                cascade?: components["parameters"]["Cascade"];
            };
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The job was deleted. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    runHelmSyncJob: {
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
            /** @description The helm sync job. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HelmSyncJob"];
                };
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
    listHelmSyncJobCharts: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
            };
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
            /** @description A page of charts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListHelmChartsResponse"];
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
    listHelmSyncJobRuns: {
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
                 * @description Only runs of this status.
                 * @example failed
                 */
                status?: components["schemas"]["RunStatus"];
            };
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
            /** @description A page of runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunsResponse"];
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
    listReleases: {
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
                 * @description Only releases of this gather job.
                 * @example 7
                 */
                gather_job_id?: number;
                /**
                 * @description Only releases of exactly this artifact.
                 * @example github.com/kubernetes/ingress-nginx
                 */
                artifact_name?: string;
                /**
                 * @description Exclude pre-releases.
                 * @example true
                 */
                stable_only?: boolean;
                /**
                 * @description Filter by scope: `organization` or `global`.
                 * @example organization
                 */
                scope?: components["schemas"]["Scope"];
                /**
                 * @description Only items at or after this time (RFC 3339).
                 * @example 2026-11-01T00:00:00.000Z
                 */
                since?: components["parameters"]["Since"];
                /**
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of releases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListReleasesResponse"];
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
    getRelease: {
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
            /** @description The release. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleaseDetail"];
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
    getReleaseSummary: {
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
                 * @description Only this gather job.
                 * @example 7
                 */
                gather_job_id?: number;
                /**
                 * @description Filter by scope: `organization` or `global`.
                 * @example organization
                 */
                scope?: components["schemas"]["Scope"];
                /**
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of release summaries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListReleaseSummariesResponse"];
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
    listVersions: {
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
                 * @description Only versions of this scrape job.
                 * @example 7
                 */
                scrape_job_id?: number;
                /**
                 * @description Only versions that differ from the previous one.
                 * @example true
                 */
                changes_only?: boolean;
                /**
                 * @description Only items at or after this time (RFC 3339).
                 * @example 2026-11-01T00:00:00.000Z
                 */
                since?: components["parameters"]["Since"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListVersionsResponse"];
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
    listSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSettingsResponse"];
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
    listAgents: {
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
                 * @description Only agents of this status.
                 * @example online
                 */
                status?: components["schemas"]["AgentStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAgentsResponse"];
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
    validateRegex: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateRegexRequest"];
            };
        };
        responses: {
            /** @description Whether the pattern compiles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateRegexResponse"];
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
    acceptDiscoveredItems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptDiscoveredItemsRequest"];
            };
        };
        responses: {
            /** @description The outcome for each item. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptDiscoveredItemsResponse"];
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
    listDiscoveryJobs: {
        parameters: {
            query?: {
                /**
                 * @description Only the jobs of the repositories of this group.
                 * @example 42
                 */
                group_job_id?: number;
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example name
                 */
                sort?: components["schemas"]["JobSort"];
                /**
                 * @description Only jobs of this status.
                 * @example failed
                 */
                status?: components["schemas"]["JobStatus"];
                /**
                 * @description Filter by whether the resource is active.
                 * @example true
                 */
                is_active?: components["parameters"]["IsActive"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of discovery jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDiscoveryJobsResponse"];
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
    createDiscoveryJob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDiscoveryJobRequest"];
            };
        };
        responses: {
            /** @description The new discovery job. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscoveryJob"];
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
    getDiscoveryJob: {
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
            /** @description The discovery job. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscoveryJob"];
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
    updateDiscoveryJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateDiscoveryJobRequest"];
            };
        };
        responses: {
            /** @description The updated discovery job. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscoveryJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDiscoveryJob: {
        parameters: {
            query?: {
                /**
                 * @description Also delete the scrape jobs that it feeds, with the alert configurations that use them and their alerts.
                 * @example true
                 */
                cascade?: boolean;
                /**
                 * @description Keep the scrape jobs that it feeds. They become manual jobs with their last version. Can't be combined with `cascade`.
                 * @example false
                 */
                keep?: boolean;
            };
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The job was deleted. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    runDiscoveryJob: {
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
            /** @description The discovery job. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscoveryJob"];
                };
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
    confirmGoneItems: {
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
            /** @description The discovery job. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscoveryJob"];
                };
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
    listDiscoveryJobRuns: {
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
                 * @description Only runs of this status.
                 * @example failed
                 */
                status?: components["schemas"]["RunStatus"];
            };
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
            /** @description A page of runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunsResponse"];
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
    previewDiscovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewDiscoveryRequest"];
            };
        };
        responses: {
            /** @description The items in the files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewDiscoveryResponse"];
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
    listArtifactAliases: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example created_at
                 */
                sort?: "created_at" | "-created_at" | "name" | "-name" | "prefix" | "-prefix";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of artifact aliases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListArtifactAliasesResponse"];
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
    createArtifactAlias: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateArtifactAliasRequest"];
            };
        };
        responses: {
            /** @description The new artifact alias. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactAlias"];
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
    listArtifactAliasSuggestions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 20 suggestions, those with the most artifacts first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListArtifactAliasSuggestionsResponse"];
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
    getArtifactAlias: {
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
            /** @description The artifact alias. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactAlias"];
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
    updateArtifactAlias: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateArtifactAliasRequest"];
            };
        };
        responses: {
            /** @description The updated artifact alias. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactAlias"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteArtifactAlias: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The artifact alias was deleted. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listArtifactCorrections: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example created_at
                 */
                sort?: "created_at" | "-created_at" | "artifact" | "-artifact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of artifact corrections. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListArtifactCorrectionsResponse"];
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
    createArtifactCorrection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateArtifactCorrectionRequest"];
            };
        };
        responses: {
            /** @description The new artifact correction. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactCorrection"];
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
    getArtifactCorrection: {
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
            /** @description The artifact correction. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactCorrection"];
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
    updateArtifactCorrection: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateArtifactCorrectionRequest"];
            };
        };
        responses: {
            /** @description The updated artifact correction. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactCorrection"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteArtifactCorrection: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The artifact correction was deleted. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDiscoveredItems: {
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
                 * @description Filter by path, artifact, or name (substring, case-insensitive).
                 * @example cert-manager
                 */
                q?: string;
                /**
                 * @description Filter by discovery job.
                 * @example 42
                 */
                discovery_job_id?: number;
                /**
                 * @description Only items in the repositories of this group.
                 * @example 42
                 */
                group_job_id?: number;
                /**
                 * @description Only items of this status.
                 * @example new
                 */
                status?: components["schemas"]["DiscoveredItemStatus"];
                /**
                 * @description Only items from this kind of file.
                 * @example flux
                 */
                extractor?: components["schemas"]["ExtractorName"];
                /**
                 * @description Only places of this artifact: the `key` of an artifact.
                 * @example pkg:helm/cert-manager?repository_url=charts.jetstack.io
                 */
                artifact?: string;
                /**
                 * @description Only items with this `environment` label.
                 * @example prod
                 */
                environment?: string;
                /**
                 * @description Order of the list; a leading `-` is descending. Groups are sorted by artifact.
                 * @example artifact
                 */
                sort?: "place" | "-place" | "artifact" | "-artifact" | "first_seen_at" | "-first_seen_at";
                /**
                 * @description Return groups instead of items.
                 * @example artifact
                 */
                group_by?: "artifact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items or groups. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDiscoveredItemsResponse"];
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
    ignoreDiscoveredItems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IgnoreDiscoveredItemsRequest"];
            };
        };
        responses: {
            /** @description The outcome for each item. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IgnoreDiscoveredItemsResponse"];
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
    restoreDiscoveredItems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreDiscoveredItemsRequest"];
            };
        };
        responses: {
            /** @description The outcome for each item. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreDiscoveredItemsResponse"];
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
    monitorDiscoveredItems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorDiscoveredItemsRequest"];
            };
        };
        responses: {
            /** @description The outcome for each item. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorDiscoveredItemsResponse"];
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
    getDiscoveredItem: {
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
            /** @description The item. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscoveredItem"];
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
    updateDiscoveredItem: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateDiscoveredItemRequest"];
            };
        };
        responses: {
            /** @description The corrected item. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscoveredItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRules: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only rules of this type.
                 * @example days_behind
                 */
                rule_type?: components["schemas"]["MonitoringRuleType"];
                /**
                 * @description Filter by whether the resource is active.
                 * @example true
                 */
                is_active?: components["parameters"]["IsActive"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example created_at
                 */
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of monitoring rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMonitoringRulesResponse"];
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
    createRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMonitoringRuleRequest"];
            };
        };
        responses: {
            /** @description The new monitoring rule. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoringRule"];
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
    getRule: {
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
            /** @description The monitoring rule. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoringRule"];
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
    updateRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateMonitoringRuleRequest"];
            };
        };
        responses: {
            /** @description The updated monitoring rule. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoringRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The monitoring rule was deleted. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    toggleRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The updated monitoring rule. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoringRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    evaluateRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the evaluation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluateRulesResponse"];
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
    previewRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRuleRequest"];
            };
        };
        responses: {
            /** @description The result of the comparison. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewRuleResponse"];
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
    simulateRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateRuleRequest"];
            };
        };
        responses: {
            /** @description The alerts that would have been opened. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationResult"];
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
    getForecast: {
        parameters: {
            query?: {
                /**
                 * @description How many days to look ahead.
                 * @example 30
                 */
                days?: number;
                /**
                 * @description Filter by severity.
                 * @example high
                 */
                severity?: components["parameters"]["Severity"];
                /**
                 * @description Filter by monitoring rule.
                 * @example 7
                 */
                rule_id?: components["parameters"]["RuleId"];
                /**
                 * @description Filter by label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
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
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of crossings, and their counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forecast"];
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
    getForecastCalendar: {
        parameters: {
            query?: {
                /**
                 * @description How many days to look ahead.
                 * @example 90
                 */
                days?: number;
                /**
                 * @description Filter by severity.
                 * @example high
                 */
                severity?: components["parameters"]["Severity"];
                /**
                 * @description Filter by label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The URL. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForecastCalendar"];
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
    getSupport: {
        parameters: {
            query?: {
                /**
                 * @description Only support that ends within this many days, or has ended. Default: all.
                 * @example 365
                 */
                days?: number;
                /**
                 * @description Only these alert configurations, separated by commas.
                 * @example 31,32
                 */
                alert_config_ids?: string;
                /**
                 * @description Only these scrape jobs, separated by commas.
                 * @example 7,8
                 */
                scrape_job_ids?: string;
                /**
                 * @description Filter by label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
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
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of end-of-support dates. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Support"];
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
    getSupportCalendar: {
        parameters: {
            query?: {
                /**
                 * @description How many days to look ahead.
                 * @example 730
                 */
                days?: number;
                /**
                 * @description Filter by label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The URL. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForecastCalendar"];
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
    listAlerts: {
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
                 * @description Whether to exclude acknowledged alerts.
                 * @example true
                 */
                unacknowledged_only?: components["parameters"]["UnacknowledgedOnly"];
                /**
                 * @description Filter by severity.
                 * @example high
                 */
                severity?: components["parameters"]["Severity"];
                /**
                 * @description Only open alerts of this status.
                 * @example acknowledged
                 */
                status?: "unacknowledged" | "acknowledged";
                /**
                 * @description Filter by monitoring rule.
                 * @example 7
                 */
                rule_id?: components["parameters"]["RuleId"];
                /**
                 * @description Filter by alert configuration.
                 * @example 31
                 */
                alert_config_id?: components["parameters"]["AlertConfigId"];
                /**
                 * @description Filter by scrape job.
                 * @example 4
                 */
                scrape_job_id?: components["parameters"]["ScrapeJobId"];
                /**
                 * @description Filter by gather job.
                 * @example 9
                 */
                gather_job_id?: components["parameters"]["GatherJobId"];
                /**
                 * @description Only alerts that are assigned to the member with this ID.
                 * @example 3
                 */
                assignee_id?: number;
                /**
                 * @description Filter by label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
                /**
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Sort order. A leading `-` is descending. `worst`: by severity, then by how long ago the threshold was crossed. `behind_by`: days, then majors, then minors, each by lag, then ends of support by date.
                 * @example created_at
                 */
                sort?: "created_at" | "-created_at" | "severity" | "-severity" | "behind_by" | "-behind_by" | "worst" | "-worst";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of open alerts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAlertsResponse"];
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
    getAlertSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertSummary"];
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
    listResolvedAlerts: {
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
                 * @description Filter by severity.
                 * @example high
                 */
                severity?: components["parameters"]["Severity"];
                /**
                 * @description Filter by monitoring rule.
                 * @example 7
                 */
                rule_id?: components["parameters"]["RuleId"];
                /**
                 * @description Filter by alert configuration.
                 * @example 31
                 */
                alert_config_id?: components["parameters"]["AlertConfigId"];
                /**
                 * @description Filter by scrape job.
                 * @example 4
                 */
                scrape_job_id?: components["parameters"]["ScrapeJobId"];
                /**
                 * @description Filter by gather job.
                 * @example 9
                 */
                gather_job_id?: components["parameters"]["GatherJobId"];
                /**
                 * @description Filter by label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
                /**
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example resolved_at
                 */
                sort?: "resolved_at" | "-resolved_at" | "created_at" | "-created_at" | "severity" | "-severity";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resolved alerts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAlertsResponse"];
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
    getAlert: {
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
            /** @description The alert with its configuration, rule, and jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WithRequired<components["schemas"]["Alert"], "alert_config" | "rule" | "scrape_job" | "gather_job" | "tickets">;
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
    resolveAlert: {
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
            /** @description The alert is resolved. */
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
    acknowledgeAlert: {
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
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AcknowledgeAlertRequest"];
            };
        };
        responses: {
            /** @description The updated alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
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
    unacknowledgeAlert: {
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
            /** @description The updated alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
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
    bulkAcknowledgeAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkAcknowledgeRequest"];
            };
        };
        responses: {
            /** @description The outcome for each alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAcknowledgeResponse"];
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
    commentOnAlert: {
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
                "application/json": components["schemas"]["CommentOnAlertRequest"];
            };
        };
        responses: {
            /** @description The updated alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
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
    assignAlert: {
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
                "application/json": components["schemas"]["AssignAlertRequest"];
            };
        };
        responses: {
            /** @description The updated alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
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
    changeAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeAlertsRequest"];
            };
        };
        responses: {
            /** @description The outcome for each alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeAlertsResponse"];
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
    listAlertDeliveries: {
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
            };
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
            /** @description A page of notification deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListNotificationDeliveriesResponse"];
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
    listAlertActions: {
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
            };
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
            /** @description A page of the activity log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuditTrailResponse"];
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
    snoozeAlert: {
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
                "application/json": components["schemas"]["SnoozeAlertRequest"];
            };
        };
        responses: {
            /** @description The updated alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
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
    unsnoozeAlert: {
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
            /** @description The updated alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
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
    listAlertConfigs: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Filter by state.
                 * @example alerting
                 */
                state?: components["schemas"]["AlertConfigState"];
                /**
                 * @description Filter by severity.
                 * @example high
                 */
                severity?: components["parameters"]["Severity"];
                /**
                 * @description Filter by whether the resource is active.
                 * @example true
                 */
                is_active?: components["parameters"]["IsActive"];
                /**
                 * @description Filter by monitoring rule.
                 * @example 7
                 */
                rule_id?: components["parameters"]["RuleId"];
                /**
                 * @description Filter by scrape job.
                 * @example 4
                 */
                scrape_job_id?: components["parameters"]["ScrapeJobId"];
                /**
                 * @description Filter by gather job.
                 * @example 9
                 */
                gather_job_id?: components["parameters"]["GatherJobId"];
                /**
                 * @description Filter by label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
                /**
                 * @description Sort order. A leading `-` is descending. `worst`: by severity, then by how long ago the threshold was crossed; configurations within their thresholds come last.
                 * @example created_at
                 */
                sort?: "created_at" | "-created_at" | "name" | "-name" | "last_evaluated_at" | "-last_evaluated_at" | "worst" | "-worst";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of alert configurations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAlertConfigsResponse"];
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
    createAlertConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAlertConfigRequest"];
            };
        };
        responses: {
            /** @description The new alert configuration. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertConfig"];
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
    getAlertConfig: {
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
            /** @description The alert configuration. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertConfig"];
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
    updateAlertConfig: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateAlertConfigRequest"];
            };
        };
        responses: {
            /** @description The updated alert configuration. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertConfig"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAlertConfig: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The alert configuration was deleted. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    toggleAlertConfig: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The updated alert configuration. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertConfig"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAlertConfigExplanation: {
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
            /** @description The explanation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertConfigExplanation"];
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
    listAlertConfigVulnerabilities: {
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
            };
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
            /** @description A page of known vulnerabilities. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListVulnerabilitiesResponse"];
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
    getAlertConfigReleaseNotes: {
        parameters: {
            query?: {
                /**
                 * @description The version after which releases are listed. Default: the deployed version.
                 * @example 1.9.0
                 */
                from?: string;
                /**
                 * @description The last version. Default: the latest version that the rule considers.
                 * @example 2.0.0
                 */
                to?: string;
                /**
                 * @description Whether to list pre-releases. Default: whether the rule considers them.
                 * @example false
                 */
                include_prereleases?: boolean;
                /**
                 * @description Maximum number of releases to list. All are counted.
                 * @example 20
                 */
                limit?: number;
            };
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
            /** @description The release notes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleaseNotes"];
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
    simulateAlertConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateAlertConfigRequest"];
            };
        };
        responses: {
            /** @description The alerts that would have been opened. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationResult"];
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
    getAlertConfigBadge: {
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
            /** @description The badge. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertConfigBadge"];
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
    planConfiguration: {
        parameters: {
            query?: {
                /**
                 * @description Also delete resources that aren't in the configuration, in sections that it includes.
                 * @example true
                 */
                prune?: boolean;
                /**
                 * @description Write secrets even if they are already stored. Stored secrets can't be compared with the file.
                 * @example true
                 */
                update_secrets?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfigurationDocument"];
            };
        };
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationPlan"];
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
    applyConfiguration: {
        parameters: {
            query: {
                /**
                 * @description Also delete resources that aren't in the configuration, in sections that it includes.
                 * @example true
                 */
                prune?: boolean;
                /**
                 * @description Write secrets even if they are already stored. Stored secrets can't be compared with the file.
                 * @example true
                 */
                update_secrets?: boolean;
                /**
                 * @description The fingerprint of the plan.
                 * @example 0f4c3ad1b1f0a2e5c6d7988a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e
                 */
                fingerprint: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfigurationDocument"];
            };
        };
        responses: {
            /** @description The apply started, is already in progress, or had nothing left to apply. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationApply"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PlanOutdated"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConfigurationApply: {
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
            /** @description The apply. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationApply"];
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
    listOrgMembersDropdown: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name; the first 10,000. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgMemberDropdownItem"][];
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
    listScrapeJobsDropdown: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name; the first 10,000. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeJobDropdownItem"][];
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
    listGatherJobsDropdown: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name; the first 10,000. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatherJobDropdownItem"][];
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
    listGlobalGatherJobsDropdown: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name; the first 10,000. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatherJobDropdownItem"][];
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
    listRulesDropdown: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name; the first 10,000. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleDropdownItem"][];
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
    listNotificationChannelsDropdown: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name; the first 10,000. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannelDropdownItem"][];
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
    listEffectiveSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every setting. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEffectiveSettingsResponse"];
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
    listOrgOverrides: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overridden settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSettingsResponse"];
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
    putOrgOverride: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the setting.
                 * @example delivery.timeout_seconds
                 */
                key: components["parameters"]["SettingKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSettingRequest"];
            };
        };
        responses: {
            /** @description The updated setting. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Setting"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteOrgOverride: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the setting.
                 * @example delivery.timeout_seconds
                 */
                key: components["parameters"]["SettingKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The override was removed. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNotificationChannels: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Filter by whether the resource is active.
                 * @example true
                 */
                is_active?: components["parameters"]["IsActive"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example created_at
                 */
                sort?: "created_at" | "-created_at" | "name" | "-name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of notification channels. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListNotificationChannelsResponse"];
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
    createNotificationChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateNotificationChannelRequest"];
            };
        };
        responses: {
            /** @description The new notification channel. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannel"];
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
    getNotificationChannel: {
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
            /** @description The notification channel. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannel"];
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
    updateNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateNotificationChannelRequest"];
            };
        };
        responses: {
            /** @description The updated notification channel. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The notification channel was deleted. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testNotificationChannel: {
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
            /** @description The receiver's response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannelTestResult"];
                };
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
    toggleNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The updated notification channel. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNotificationChannelStats: {
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
            /** @description The statistics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannelStats"];
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
    validateWebhookConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateWebhookConfigRequest"];
            };
        };
        responses: {
            /** @description The validation result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookConfigValidationResult"];
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
    listNotificationTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One template for each category. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListNotificationTemplatesResponse"];
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
    updateNotificationTemplate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Category of the template.
                 * @example new_alert
                 */
                category: components["parameters"]["TemplateCategory"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateNotificationTemplateRequest"];
            };
        };
        responses: {
            /** @description The current template. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationTemplateInfo"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteNotificationTemplate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Category of the template.
                 * @example new_alert
                 */
                category: components["parameters"]["TemplateCategory"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The global default, which now applies. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationTemplateInfo"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewNotificationTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationTemplatePreviewRequest"];
            };
        };
        responses: {
            /** @description The rendered template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationTemplatePreviewResponse"];
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
    listNotificationRules: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Filter by whether the resource is active.
                 * @example true
                 */
                is_active?: components["parameters"]["IsActive"];
                /**
                 * @description Filter by notification channel.
                 * @example 2
                 */
                channel_id?: components["parameters"]["ChannelId"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example created_at
                 */
                sort?: "created_at" | "-created_at" | "priority" | "-priority" | "name" | "-name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of notification rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListNotificationRulesResponse"];
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
    createNotificationRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateNotificationRuleRequest"];
            };
        };
        responses: {
            /** @description The new notification rule. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRule"];
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
    getNotificationRule: {
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
            /** @description The notification rule. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRule"];
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
    updateNotificationRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateNotificationRuleRequest"];
            };
        };
        responses: {
            /** @description The updated notification rule. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteNotificationRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The notification rule was deleted. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    toggleNotificationRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The updated notification rule. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNotificationRuleStats: {
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
            /** @description The statistics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRuleStats"];
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
    simulateNotificationRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateNotificationRulesRequest"];
            };
        };
        responses: {
            /** @description The messages that would have been sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageSimulationResult"];
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
    simulateNotificationRule: {
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
                "application/json": components["schemas"]["SimulateNotificationRuleRequest"];
            };
        };
        responses: {
            /** @description What the rule would do. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRuleSimulationResult"];
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
    getFreshness: {
        parameters: {
            query?: {
                /**
                 * @description The metric to return.
                 * @example libyears
                 */
                metric?: components["schemas"]["FreshnessMetric"];
                /**
                 * @description The key of a label in the setting `freshness.labels`.
                 * @example team
                 */
                group_by?: components["schemas"]["LabelKey"];
                /**
                 * @description Filter by label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
                /**
                 * @description Only what this freshness target matches.
                 * @example 3
                 */
                target_id?: number;
                /**
                 * @description The first day, UTC. Default: a year before `until`.
                 * @example 2025-03-16
                 */
                since?: string;
                /**
                 * @description The last day, UTC. Default: today. At most 1,100 days after `since`.
                 * @example 2026-03-15
                 */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Freshness by day. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Freshness"];
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
    listFreshnessThings: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Filter by label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
                /**
                 * @description Only pairs that are within all of their targets, or that aren't.
                 * @example false
                 */
                is_within_target?: boolean;
                /**
                 * @description Order of the list; a leading `-` is descending. Unknown values are last.
                 * @example -libyears
                 */
                sort?: "name" | "-name" | "libyears" | "-libyears" | "exposure_days" | "-exposure_days" | "majors" | "-majors" | "minors" | "-minors" | "releases" | "-releases";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pairs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListFreshnessThingsResponse"];
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
    listReferenceSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sources. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListReferenceSourcesResponse"];
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
    listLifecycleProducts: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Filter by the package URL of an artifact; its version is ignored.
                 * @example pkg:docker/library/postgres
                 */
                purl?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lifecycle products. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListLifecycleProductsResponse"];
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
    getLifecycleProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the product.
                 * @example postgresql
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LifecycleProductDetails"];
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
    listFreshnessTargets: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Filter by whether the resource is active.
                 * @example true
                 */
                is_active?: components["parameters"]["IsActive"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example created_at
                 */
                sort?: "created_at" | "-created_at" | "name" | "-name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of freshness targets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListFreshnessTargetsResponse"];
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
    createFreshnessTarget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFreshnessTargetRequest"];
            };
        };
        responses: {
            /** @description The new freshness target. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FreshnessTarget"];
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
    getFreshnessTarget: {
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
            /** @description The freshness target. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FreshnessTarget"];
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
    updateFreshnessTarget: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateFreshnessTargetRequest"];
            };
        };
        responses: {
            /** @description The updated freshness target. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FreshnessTarget"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteFreshnessTarget: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The freshness target was deleted. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSilences: {
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
                 * @description Filter by status.
                 * @example active
                 */
                status?: components["schemas"]["SilenceStatus"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example ends_at
                 */
                sort?: "created_at" | "-created_at" | "ends_at" | "-ends_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of silences. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSilencesResponse"];
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
    createSilence: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSilenceRequest"];
            };
        };
        responses: {
            /** @description The new silence. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
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
    previewSilence: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewSilenceRequest"];
            };
        };
        responses: {
            /** @description The number of matching open alerts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewSilenceResponse"];
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
    getSilence: {
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
            /** @description The silence. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
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
    updateSilence: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateSilenceRequest"];
            };
        };
        responses: {
            /** @description The updated silence. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSilence: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The silence was deleted. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNotificationSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The notification settings. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationSettings"];
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
    updateNotificationSettings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateNotificationSettingsRequest"];
            };
        };
        responses: {
            /** @description The updated notification settings. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNotificationDeliveries: {
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
                 * @description Filter by notification channel.
                 * @example 2
                 */
                channel_id?: components["parameters"]["ChannelId"];
                /**
                 * @description Filter by status.
                 * @example dead_letter
                 */
                status?: components["parameters"]["DeliveryStatus"];
                /**
                 * @description Filter by event.
                 * @example alert.created
                 */
                event_type?: components["parameters"]["EventType"];
                /**
                 * @description Only items at or after this time (RFC 3339).
                 * @example 2026-11-01T00:00:00.000Z
                 */
                since?: components["parameters"]["Since"];
                /**
                 * @description Filter by alert.
                 * @example 88
                 */
                alert_id?: components["parameters"]["AlertId"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example created_at
                 */
                sort?: "created_at" | "-created_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of notification deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListNotificationDeliveriesResponse"];
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
    listDeadNotificationDeliveries: {
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
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of dead letters. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListNotificationDeliveriesResponse"];
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
    retryNotificationDelivery: {
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
            /** @description The delivery, pending again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationDelivery"];
                };
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
    getNotificationDelivery: {
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
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationDeliveryDetail"];
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
    retryNotificationDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryNotificationDeliveriesRequest"];
            };
        };
        responses: {
            /** @description The number of deliveries queued for retry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryNotificationDeliveriesResponse"];
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
    createFeedback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFeedbackRequest"];
            };
        };
        responses: {
            /** @description The feedback was received. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateFeedbackResponse"];
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
    getCaller: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Caller"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAPIKeys: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only keys of this status.
                 * @example active
                 */
                status?: components["schemas"]["APIKeyStatus"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example created_at
                 */
                sort?: "created_at" | "-created_at" | "name" | "-name" | "last_used_at" | "-last_used_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAPIKeysResponse"];
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
    createAPIKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAPIKeyRequest"];
            };
        };
        responses: {
            /** @description The new key with its secret. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateAPIKeyResponse"];
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
    getAPIKey: {
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
            /** @description The key. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["APIKey"];
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
    updateAPIKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateAPIKeyRequest"];
            };
        };
        responses: {
            /** @description The updated key. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["APIKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    toggleAPIKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The updated key. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["APIKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deactivateAPIKey: {
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
            /** @description The key is revoked. */
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
    listMembers: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only members with this role.
                 * @example admin
                 */
                role?: components["schemas"]["MemberRole"];
                /**
                 * @description Only members whose two-factor authentication is in this state.
                 * @example disabled
                 */
                two_factor?: components["schemas"]["MemberTwoFactor"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example created_at
                 */
                sort?: "created_at" | "-created_at" | "name" | "-name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMembersResponse"];
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
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteMemberRequest"];
            };
        };
        responses: {
            /** @description The invitation and its link. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteMemberResponse"];
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
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateMemberRequest"];
            };
        };
        responses: {
            /** @description The updated member. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. If the current revision is a different one, the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The membership is ended. */
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
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewMemberChange: {
        parameters: {
            query?: {
                /**
                 * @description The new role. Omit it to preview a removal.
                 * @example viewer
                 */
                role?: components["schemas"]["MemberRole"];
            };
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
            /** @description The preview. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberChangePreview"];
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
    createMemberResetLink: {
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
            /** @description The link. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetLinkResponse"];
                };
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
    deleteInvitation: {
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
            /** @description The invitation was revoked. */
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
    listHooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListHooksResponse"];
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
    createHook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateHookRequest"];
            };
        };
        responses: {
            /** @description The new hook and its secret. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateHookResponse"];
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
    deleteHook: {
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
            /** @description The hook was deleted. */
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
    listAuditExports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The audit exports. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuditExportsResponse"];
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
    createAuditExport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAuditExportRequest"];
            };
        };
        responses: {
            /** @description The new audit export and its signing secret. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateAuditExportResponse"];
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
    deleteAuditExport: {
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
            /** @description The audit export was deleted. */
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
    listAuditLog: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Filter by resource type.
                 * @example api_key
                 */
                resource?: components["schemas"]["AuditLogResource"];
                /**
                 * @description Filter by action, as shown in entries.
                 * @example rule.updated
                 */
                action?: string;
                /**
                 * @description Filter by actor: a type (`user`, `api_key`, `link`, `system`), a type and an ID (`user:3`), or a name (case-insensitive).
                 * @example user:3
                 */
                actor?: string;
                /**
                 * @description Only items at or after this time (RFC 3339).
                 * @example 2026-11-01T00:00:00.000Z
                 */
                since?: components["parameters"]["Since"];
                /**
                 * @description Only items before this time (RFC 3339).
                 * @example 2026-12-01T00:00:00.000Z
                 */
                until?: components["parameters"]["Until"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the audit log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuditLogResponse"];
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
    listSoftware: {
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
                 * @description Filter by name or deployed version (substring, case-insensitive).
                 * @example nginx
                 */
                q?: string;
                /**
                 * @description Filter by state.
                 * @example alerting
                 */
                state?: components["schemas"]["SoftwareState"];
                /**
                 * @description Filter by severity.
                 * @example high
                 */
                severity?: components["parameters"]["Severity"];
                /**
                 * @description Filter by monitoring rule.
                 * @example 7
                 */
                rule_id?: components["parameters"]["RuleId"];
                /**
                 * @description Filter by gather job.
                 * @example 9
                 */
                gather_job_id?: components["parameters"]["GatherJobId"];
                /**
                 * @description Filter by label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
                /**
                 * @description Sort order. A leading `-` is descending. `worst`: by severity, then by how long ago the threshold was crossed. `behind_since` and `ends_at`: by those dates of the worst alert configuration; without a date, it comes last. Except for `name` and `created_at`, unmonitored scrape jobs come last.
                 * @example worst
                 */
                sort?: "worst" | "-worst" | "name" | "-name" | "created_at" | "-created_at" | "behind_since" | "-behind_since" | "ends_at" | "-ends_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of software. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSoftwareResponse"];
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
    changeSoftware: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSoftwareRequest"];
            };
        };
        responses: {
            /** @description The outcome for each item. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSoftwareResponse"];
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
    getSoftwareLabels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The labels. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SoftwareLabels"];
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
    listSavedViews: {
        parameters: {
            query?: {
                /**
                 * @description Only views of this page.
                 * @example software
                 */
                page?: components["schemas"]["SavedViewPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The views. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSavedViewsResponse"];
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
    createSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSavedViewRequest"];
            };
        };
        responses: {
            /** @description The new view. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
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
    deleteSavedView: {
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
            /** @description The view was deleted. */
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
    getEnvironmentMatrix: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only services with a scrape job that has this label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["schemas"]["LabelFilter"];
                /**
                 * @description Only services with a cell that has this relation. `any` is every relation except `first` and `same`.
                 * @example behind
                 */
                drift?: "any" | "behind" | "ahead" | "different" | "missing";
                /**
                 * @description Only these environments, separated by commas.
                 * @example staging,production
                 */
                environments?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the matrix. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentMatrix"];
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
    compareEnvironments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompareEnvironmentsRequest"];
            };
        };
        responses: {
            /** @description The comparisons. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareEnvironmentsResponse"];
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
    listPromotions: {
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
                 * @description Filter by name (substring, case-insensitive).
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only this service.
                 * @example web
                 */
                service?: string;
                /**
                 * @description The earlier environment. Default: the first one that the service has.
                 * @example staging
                 */
                from?: string;
                /**
                 * @description The later environment. Default: the last one that the service has.
                 * @example production
                 */
                to?: string;
                /**
                 * @description Only versions that the earlier environment first had at or after this time (RFC 3339), rounded down to the minute.
                 * @example 2026-11-01T00:00:00.000Z
                 */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of promotions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPromotionsResponse"];
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
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
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
    streamEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream, which stays open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example data: {"resource":"alert","id":88,"change":"updated"} */
                    "text/event-stream": string;
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
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};

/** The shapes of all bodies, by name. */
export type Schemas = components['schemas'];
