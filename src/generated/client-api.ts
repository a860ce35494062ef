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
         * @description Own and global gather jobs, newest first.
         */
        get: operations["listGatherJobs"];
        put?: never;
        /**
         * Create a gather job
         * @description Makes a gather job. It is global when a system key makes it. An active one runs at once.
         */
        post: operations["createGatherJob"];
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
         * @description One own or global gather job.
         */
        get: operations["getGatherJob"];
        /**
         * Change a gather job
         * @description Changes the fields that are given and keeps the others. A change of source, artifact, options, pattern or scheme clears the releases and runs the job. A global one can be changed with a system key only (403). What a helm sync job feeds keeps its source (409).
         */
        put: operations["updateGatherJob"];
        post?: never;
        /**
         * Delete a gather job
         * @description Deletes the job with its releases. A job that alert configurations use is deleted only with `cascade`, together with them and their alerts; a global one never while another organization uses it. A global one can be changed with a system key only (403).
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
         * @description Reads the whole list of the source, not only what is new. Answers 202 with the job; the run itself follows as soon as an agent takes it. While a run is waiting or in progress no second one is started. An inactive job runs once and stays inactive.
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
         * @description Deletes the stored releases of the job and what is kept for conditional requests, so that its next run reads everything anew. A global one can be changed with a system key only (403).
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
         * @description The runs of this gather job, newest first.
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
    "/scrape-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scrape jobs
         * @description The scrape jobs of the organization, newest first.
         */
        get: operations["listScrapeJobs"];
        put?: never;
        /**
         * Create a scrape job
         * @description Makes a scrape job. An active one that is not manual runs at once.
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
         * @description One scrape job of the organization.
         */
        get: operations["getScrapeJob"];
        /**
         * Change a scrape job
         * @description Changes the fields that are given and keeps the others. `parser_type` never changes to or from `manual` (400). A change of what it reads runs the job.
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
         * @description The deployed versions of this job, newest first.
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
         * @description Answers 202 with the job; the run itself follows as soon as an agent takes it. While a run is waiting or in progress no second one is started. An inactive job runs once and stays inactive. A manual job has nothing to run (409).
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
         * Set the deployed version by hand
         * @description Stores a version for a manual scrape job, after its transform. It goes the same way as a version that an agent finds: rules are evaluated, alerts raised and notifications sent. 409 when the job is not manual.
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
         * @description The runs of this scrape job, newest first.
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
         * Try a parser on a text
         * @description Runs a parser and a transform on the text that is given and answers what was found, or exactly why nothing was. Stores and fetches nothing.
         */
        post: operations["previewScrapeJob"];
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
         * @description Own and global helm sync jobs, newest first.
         */
        get: operations["listHelmSyncJobs"];
        put?: never;
        /**
         * Create a helm sync job
         * @description Makes a helm sync job. It is global when a system key makes it. An active one runs at once.
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
         * @description One own or global helm sync job.
         */
        get: operations["getHelmSyncJob"];
        /**
         * Change a helm sync job
         * @description Changes the fields that are given and keeps the others. A change of what it reads runs the job. A global one can be changed with a system key only (403).
         */
        put: operations["updateHelmSyncJob"];
        post?: never;
        /**
         * Delete a helm sync job
         * @description Deletes the job, its charts and the gather jobs that it made. Gather jobs that alert configurations use stay and get its schedule; with `cascade` they are deleted too, together with these configurations and their alerts. Never with `cascade` while another organization uses one (409). A global one can be changed with a system key only (403).
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
         * @description Answers 202 with the job; the run itself follows as soon as an agent takes it. While a run is waiting or in progress no second one is started. An inactive job runs once and stays inactive.
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
         * @description The charts that the repository has, by name.
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
         * @description The runs of this helm sync job, newest first.
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
         * @description Releases of own and global gather jobs: by version precedence, highest first, when `gather_job_id` is given; else by date, newest first.
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
         * @description One release of an own or global gather job, with its notes.
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
         * @description One entry for each own and global gather job, newest job first: how many releases there are, which is the latest, and since when.
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
         * @description The deployed versions of all scrape jobs of the organization, newest first.
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
         * @description The agents of the organization and the embedded one, newest first.
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
         * @description Says whether a pattern compiles as RE2. It runs on `sample` only when one is given.
         */
        post: operations["validateRegex"];
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
         * @description The monitoring rules of the organization, newest first.
         */
        get: operations["listRules"];
        put?: never;
        /**
         * Create a monitoring rule
         * @description Makes a monitoring rule. At least one threshold is needed, and the given ones must ascend from moderate to critical.
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
         * Change a monitoring rule
         * @description Changes the given members of a monitoring rule. Its alert configurations are evaluated anew: other thresholds change open alerts in place, another type resolves them first.
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
         * Turn a monitoring rule on or off
         * @description Makes an active rule inactive and an inactive one active. Turned off, its open alerts are resolved as `disabled`.
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
         * @description Evaluates every active alert configuration of the organization within the request. Calls of one organization run one after the other. What is left after 60 seconds is evaluated in the background.
         */
        post: operations["evaluateRules"];
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
         * @description The open alerts of the organization, newest first.
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
         * @description How many alerts the organization has, by status and severity.
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
         * @description The resolved alerts of the organization, last resolved first.
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
         * @description One alert, open or resolved, with its configuration, rule and jobs in full.
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
         * @description Resolves an open alert by hand. While the deployed version stays as it is, it comes back only with a higher severity. A resolved alert is left as it is.
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
         * @description Says that somebody cares for an open alert. An acknowledged alert is left as it is; a resolved one cannot be acknowledged.
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
         * Take an acknowledgment back
         * @description Makes an acknowledged alert unacknowledged again. An unacknowledged alert is left as it is; a resolved one cannot be changed.
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
         * @description Acknowledges up to 500 alerts at once and says what became of each.
         */
        post: operations["bulkAcknowledgeAlerts"];
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
         * @description The notification deliveries of one alert, newest first.
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
         * List actions of an alert
         * @description The audit trail of one alert, newest first.
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
         * @description Keeps an open alert silent until a time, or until the deployed or the latest version changes. Escalation and resolution are still told. A new snooze replaces the old one.
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
         * @description Lets a snoozed alert speak again. One that is not snoozed is left as it is; a resolved one cannot be changed.
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
         * @description The alert configurations of the organization, newest first.
         */
        get: operations["listAlertConfigs"];
        put?: never;
        /**
         * Create an alert configuration
         * @description Links a scrape job, a gather job and a monitoring rule, and evaluates them. The gather job may be global; the others must be of the organization. A second one with the same three and the same `candidate_pattern` is rejected with 409, which names the first.
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
         * @description One alert configuration and how its comparison stands.
         */
        get: operations["getAlertConfig"];
        /**
         * Change an alert configuration
         * @description Changes the given members of an alert configuration and evaluates it anew. Where it now links other things, its open alert is resolved as `reconfigured`. When another one compares the same already, the change is rejected with 409.
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
         * Turn an alert configuration on or off
         * @description Makes an active alert configuration inactive and an inactive one active. Turned off, its open alert is resolved as `disabled`.
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
         * @description Says step by step how the evaluation comes to the state of an alert configuration: which releases are compared, which are not and why, and when the next threshold is reached.
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
    "/alert-configs/{id}/badge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the badge of an alert configuration
         * @description Gives the address of a picture that says what is deployed and how far behind it is, for a README or a wiki. Whoever has the address sees the picture, without a login, for as long as the alert configuration exists and the setting `badges.enabled` holds. The address stays the same.
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
    "/dropdowns/org-members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Members to choose from
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
         * Scrape jobs to choose from
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
         * Own gather jobs to choose from
         * @description Every gather job of the organization, by name; global ones are in a list of their own.
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
         * Global gather jobs to choose from
         * @description Every gather job that system keys made for all organizations, by name.
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
         * Monitoring rules to choose from
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
         * Notification channels to choose from
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
         * @description Every setting with the value that holds for the organization: its override, else the global value.
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
         * @description Only those settings that the organization overrides.
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
         * @description Sets the override of a setting, or changes it. The value must be valid by the schema of the setting.
         */
        put: operations["putOrgOverride"];
        post?: never;
        /**
         * Remove an override
         * @description Removes the override of a setting, which has its global value again. Without an override the answer is 404.
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
         * @description The notification channels of the organization, newest first.
         */
        get: operations["listNotificationChannels"];
        put?: never;
        /**
         * Create a notification channel
         * @description Makes a webhook channel. The address and the templates are checked; nothing is sent.
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
         * @description One notification channel and its health.
         */
        get: operations["getNotificationChannel"];
        /**
         * Change a notification channel
         * @description Changes the given members of a notification channel. Deliveries that were rendered before are sent as they are, but rendered again when the origin of the URL or the preset has changed. Such a change is rejected with 400 `validation_failed` while stored secrets would follow it; `errors` names each field to send again or to remove.
         */
        put: operations["updateNotificationChannel"];
        post?: never;
        /**
         * Delete a notification channel
         * @description Deletes a notification channel. It leaves every notification rule; a rule that named only this channel is turned off. As default channel it is cleared. Its open deliveries are canceled.
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
         * @description Sends one test notification now and answers what the target said. No delivery is written, and a failure turns nothing off. Bodies are shown to admins and owners only.
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
         * Turn a notification channel on or off
         * @description Makes an active channel inactive and an inactive one active. Deliveries to an inactive channel are canceled.
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
         * @description How the deliveries to a channel went lately.
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
         * Check a webhook configuration
         * @description Looks at the form of an address and at a template. It creates nothing, resolves no name and sends nothing. What is wrong is part of a 200 answer.
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
         * @description The template that holds for each category, where it comes from and which variables it may use.
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
         * @description Sets the template of the organization for a category. One that does not parse is refused with line and column.
         */
        put: operations["updateNotificationTemplate"];
        post?: never;
        /**
         * Remove a template override
         * @description Removes the template of the organization for a category; the global default holds again. Without an override the answer is 404.
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
         * @description Renders a template with sample data. Nothing is stored or sent. What is wrong with the template is part of a 200 answer.
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
         * @description The notification rules of the organization, newest first; `sort=priority` gives the order in which they are asked.
         */
        get: operations["listNotificationRules"];
        put?: never;
        /**
         * Create a notification rule
         * @description Makes a rule that chooses the channels of alerts. What it names must be of the organization.
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
         * Change a notification rule
         * @description Changes the given members of a notification rule. It holds from the next event on. A rule whose channels were all deleted cannot be turned on before it has others (409).
         */
        put: operations["updateNotificationRule"];
        post?: never;
        /**
         * Delete a notification rule
         * @description Deletes a notification rule. Deliveries that it made stay.
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
         * Turn a notification rule on or off
         * @description Makes an active rule inactive and an inactive one active. A rule whose channels were all deleted cannot be turned on before it has others.
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
         * @description How often a rule matched, and what became of the deliveries.
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
         * Try a notification rule
         * @description Routes an alert event as a real one would be, among all other rules, and returns what this rule does with it: whether it matches, which criteria aren't met, which of its channels would be notified, and why not. `event` has the outcome of all rules together. Nothing is written or sent.
         */
        post: operations["simulateNotificationRule"];
        delete?: never;
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
         * @description The default channel and when notifications are repeated.
         */
        get: operations["getNotificationSettings"];
        /**
         * Change notification settings
         * @description Changes the given members. The default channel must be one of the organization.
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
         * @description The notification deliveries of the organization, newest first.
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
         * @description Deliveries that failed for good, newest first.
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
         * @description Sets a dead letter, or a canceled delivery, back to pending: a new series of attempts with the same `webhook-id`. While its channel is inactive, it waits (`waiting_for` is `channel`), and its attempts start when the channel is enabled. Other deliveries, and those whose channel was deleted, can't be retried.
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
         * @description One delivery with every attempt. The body that was sent and the bodies of the answers are returned to the roles `admin` and `owner` only.
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
         * @description Sets up to 1,000 dead letters, or canceled deliveries, that fit the given filter back to pending. Those whose channel is inactive wait until it is enabled.
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
         * Give feedback
         * @description Leaves a message for the operators of the service.
         */
        post: operations["createFeedback"];
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
         * @description The keys of the organization, newest first, without their secrets. System keys are in no list.
         */
        get: operations["listAPIKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Makes a key and answers its secret, this once. It needs a login: with an API key the answer is 401 `login_required`. The role of the key is at most that of who makes it. An organization can have 1,000 keys; deactivated and expired ones don't count.
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
         * @description One key, never its secret.
         */
        get: operations["getAPIKey"];
        /**
         * Change an API key
         * @description Changes the name or the description of a key.
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
         * Turn an API key on or off
         * @description Makes an active key inactive and an inactive one active, from the next request on. A deactivated key cannot be turned on.
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
         * Deactivate an API key
         * @description Ends a key for good, from the next request on. This cannot be undone. A deactivated key is left as it is.
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
         * @description The members of the organization, newest first, and the open invitations.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite a member
         * @description Makes an invitation and answers its link, this once, to hand to the person. The answer is the same whether or not the address is known. The role is at most that of who invites. It requires a login: with an API key the answer is 401 `login_required`. The link stops working when the person who invited is removed or can no longer give the role.
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
         * Change the role of a member
         * @description Gives a member another role. Only owners make or change owners; the last owner stays one. It requires a login. A role that is lower than before deactivates the API keys and deletes the open invitations of the member that this role can't create, and every change of role voids the reset links for the member. `GET /members/{id}/change-preview` lists them before.
         */
        put: operations["updateMember"];
        post?: never;
        /**
         * Remove a member
         * @description Ends a membership. The sessions of the member in this organization, the API keys that the member created, and the open invitations and reset links of the member end with it. The last owner stays. It requires a login. `GET /members/{id}/change-preview` lists what ends.
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
         * Preview the removal or another role of a member
         * @description What stops working when the member is removed or, with `role`, gets this role: API keys that the member created and open invitations that the member sent, if the new role can't create them. Nothing changes.
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
         * Make a reset link
         * @description Makes a link with which a member sets a new password, once, within a day. The password stays as it is until then. It requires a login. The link stops working when the role of the member changes, when the person who made it is removed or demoted, and for an account that belongs to another organization as well: only the operator resets the password of such an account (`admin reset-password`).
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
         * Withdraw an invitation
         * @description Withdraws an open invitation; its link opens nothing any more. Only owners withdraw the invitation of an owner. One that was accepted, withdrawn or has ended is not found.
         */
        delete: operations["deleteInvitation"];
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
    "/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the overview
         * @description Counts and what needs attention, for the first page.
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
         * @description Server-sent events: each names something of the organization that changed, so that a page can read it again; its `data` is a ChangeEvent. A stream begins with the resources that changed in the ten seconds before it, without ids: who reads first and opens the stream then misses nothing. Changes of resources that the role can't list, such as members and API keys below `admin`, aren't included. The credential is checked again every minute. A user has at most five streams; one more is answered 429.
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
         * @description Order of a list of jobs; a leading `-` is descending.
         * @example -created_at
         * @enum {string}
         */
        JobSort: "-created_at" | "created_at" | "name" | "-name";
        /**
         * @description Whose thing it is: the own organization’s, or `global`, made by a system key and readable by every organization.
         * @example organization
         * @enum {string}
         */
        Scope: "organization" | "global";
        /**
         * @description What a job does: `pending` has yet to run or waits for its turn, `in_progress` runs, `completed` and `failed` tell how its last run ended. A manual scrape job has no runs; it is `completed` once it has a version.
         * @example pending
         * @enum {string}
         */
        JobStatus: "pending" | "in_progress" | "completed" | "failed";
        /**
         * @description The kind of source that releases come from.
         * @example github_releases
         * @enum {string}
         */
        ReleaseSourceType: "github_releases" | "helm_repository" | "oci_registry" | "git_tags" | "gitlab_releases" | "gitea_releases" | "http_json";
        /**
         * @description A name for people; need not be unique. White space around it is removed before its length is checked.
         * @example Ingress controller
         */
        Name: string;
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
         * @description IANA name of the time zone in which the cron expression is read.
         * @example Europe/Berlin
         */
        CronTimezone: string;
        /**
         * @description What a job waits for: its next time, an agent that can do it, or the limit of the host that it asks.
         * @example time
         * @enum {string}
         */
        JobWaitingFor: "time" | "agent" | "host_limit";
        /**
         * @description How far a run is. `succeeded`, `failed` and `canceled` are final.
         * @example queued
         * @enum {string}
         */
        RunStatus: "queued" | "in_progress" | "succeeded" | "failed" | "canceled";
        /**
         * @description Why a run was started: its schedule, by hand, because the job was made, or because what it reads was changed.
         * @example schedule
         * @enum {string}
         */
        RunTrigger: "schedule" | "manual" | "created" | "changed";
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
         * @description What a run found and did. Members that do not fit the kind of job are absent.
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
         *           "reason": "does not match version_pattern"
         *         }
         *       ]
         *     }
         */
        RunSummary: {
            /** @description The source said that nothing changed since the last run. */
            not_modified?: boolean;
            /** @description The whole list was read, not only its newest part. */
            is_complete_list?: boolean;
            /** @description Requests sent to the source. */
            requests?: number;
            /** @description Releases or charts that were read. */
            found?: number;
            /** @description Releases that were new. */
            added?: number;
            /** @description Known releases of which something changed. */
            updated?: number;
            /** @description Known releases that the source no longer lists. */
            withdrawn?: number;
            /** @description Tags or charts that were left out. */
            skipped?: number;
            /** @description Some of those that were left out, and why. */
            skipped_examples?: components["schemas"]["SkippedItem"][];
            /** @description Things that went well and yet should be looked at: sentences for people. */
            warnings?: string[];
            /** @description Charts of the repository after the filter. */
            charts?: number;
            /** @description Gather jobs that the sync made. */
            gather_jobs_created?: number;
            /** @description The version as it stands in the file. */
            raw_version?: string;
            /** @description The version after the transform. */
            version?: string;
            /** @description The commit that was read. */
            commit_sha?: string | null;
            /** @description The version differs from the one before. */
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
             * @description Id of the run.
             */
            id: number;
            status: components["schemas"]["RunStatus"];
            trigger: components["schemas"]["RunTrigger"];
            /**
             * Format: date-time
             * @description When the run was asked for.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When an agent took it. Null while it is queued.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When it ended. Null until then.
             */
            finished_at: string | null;
            /** @description Milliseconds from the start to the end. Null until it ended. */
            duration_ms: number | null;
            /**
             * Format: int64
             * @description The agent that took it last.
             */
            agent_id: number | null;
            /** @description Number of the present attempt, from 1. 0 before the first. */
            attempt: number;
            /** @description Why it failed, or why its last attempt did. Null when nothing failed. */
            error: components["schemas"]["RunError"] | null;
            /** @description What it found and did. Null until it ended. */
            summary: components["schemas"]["RunSummary"] | null;
        };
        /** @description Raised when one of the fields that requests can change is changed; not by runs, evaluations, or health. `ETag` has it in quotes. */
        Revision: number;
        /**
         * @description A source of upstream releases, its state and what it has found.
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
         *       "cron_expression": "*\/30 * * * *",
         *       "cron_timezone": "UTC",
         *       "credential_name": null,
         *       "is_active": true,
         *       "scope": "organization",
         *       "status": "completed",
         *       "waiting_for": "time",
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
         *       "helm_sync_job_id": null,
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z",
         *       "revision": 3
         *     }
         */
        GatherJob: {
            /**
             * Format: int64
             * @description Id of the gather job.
             */
            id: number;
            name: components["schemas"]["Name"];
            source_type: components["schemas"]["ReleaseSourceType"];
            /** @description What is followed, by source type: `github.com/owner/repo`, `host/path/chart`, an image reference without tag, a git URL, `host/owner/repo`, or a URL. A scheme and a trailing slash are removed, except from git and other URLs; user information in it is refused. */
            artifact_name: string;
            source_options: components["schemas"]["GatherSourceOptions"];
            version_scheme: components["schemas"]["VersionScheme"];
            /** @description RE2 pattern over tags: only tags that match are kept, and the first capture group (else the match) is the version. Null: every tag as it is. */
            version_pattern: string | null;
            /** @description Whether pre-releases are stored too. */
            include_prereleases: boolean;
            /** @description How many releases are kept for each variant, the highest ones. Null: the setting `gather.max_releases`. */
            max_releases: number | null;
            /** @description Five-field cron or `@daily` and its kin. Null: no schedule of its own; it runs when it is made, when what it reads changes, and by hand. */
            cron_expression: string | null;
            cron_timezone: components["schemas"]["CronTimezone"];
            /** @description Name of a credential in the configuration of an agent. Null: none. */
            credential_name: string | null;
            /** @description Whether it runs by its schedule. */
            is_active: boolean;
            scope: components["schemas"]["Scope"];
            status: components["schemas"]["JobStatus"];
            /** @description What it waits for. Null while it runs or when nothing is planned. */
            waiting_for: components["schemas"]["JobWaitingFor"] | null;
            /**
             * Format: date-time
             * @description When it runs next. Null without a schedule or when inactive.
             */
            next_run_at: string | null;
            /** @description Its last run that has begun. Null before the first. */
            last_run: components["schemas"]["Run"] | null;
            /** @description How many releases are stored. */
            release_count: number;
            /** @description The highest version by precedence among releases of the usual form: without suffix and with the most frequent prefix, else among all. Null without releases. */
            latest_version: string | null;
            /** @description The highest stable version by precedence. Null when there is none. */
            latest_stable_version: string | null;
            /**
             * Format: date-time
             * @description When `latest_version` was released. Null when unknown.
             */
            latest_released_at: string | null;
            /**
             * Format: int64
             * @description The helm sync job that made it and feeds it. Null for others.
             */
            helm_sync_job_id: number | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
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
         *           "cron_expression": "*\/30 * * * *",
         *           "cron_timezone": "UTC",
         *           "credential_name": null,
         *           "is_active": true,
         *           "scope": "organization",
         *           "status": "completed",
         *           "waiting_for": "time",
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
         *           "updated_at": "2026-11-21T05:10:00.000Z"
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
            /** @description How many items there are in all, counted up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The limit that was used. */
            limit: number;
            /** @description The offset that was used. */
            offset: number;
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
         * @description A new gather job. It runs once as soon as it is made, when it is active.
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
            /** @description What to follow, in any form that people paste: `owner/repo`, the URL of a repository or of any of its pages, an image reference with tag or digest, a `docker pull` line, the URL of a Helm repository and the name of a chart. It is stored in one form by source type: `github.com/owner/repo`, `host/owner/repo`, `host/path/chart`, an image reference without tag, a git URL, or a URL. User information in it is rejected. */
            artifact_name: string;
            source_options?: components["schemas"]["GatherSourceOptions"];
            /** @default auto */
            version_scheme?: components["schemas"]["VersionScheme"];
            /**
             * @description RE2 pattern over tags: only tags that match are kept, and the first capture group (else the match) is the version. Null: every tag as it is.
             * @default null
             */
            version_pattern?: string | null;
            /**
             * @description Whether pre-releases are stored too.
             * @default true
             */
            include_prereleases?: boolean;
            /**
             * @description How many releases are kept for each variant, the highest ones. Null: the setting `gather.max_releases`.
             * @default null
             */
            max_releases?: number | null;
            /**
             * @description Five-field cron or `@daily` and its kin. Null: no schedule of its own; it runs when it is made, when what it reads changes, and by hand.
             * @default null
             */
            cron_expression?: string | null;
            /** @default UTC */
            cron_timezone?: components["schemas"]["CronTimezone"];
            /**
             * @description Name of a credential in the configuration of an agent. Null: none.
             * @default null
             */
            credential_name?: string | null;
            /**
             * @description Whether it runs by its schedule.
             * @default true
             */
            is_active?: boolean;
        };
        /** @description Read-only: a request may send it back as it was read, and it is ignored. A member that is also in the path (`id`, `key`, `category`) must have the same value. */
        ReadOnlyMember: unknown;
        /**
         * @description Changes of a gather job: at least one field; fields that are absent keep their values. A change of source, artifact, options, pattern or scheme clears the stored releases and runs the job.
         * @example {
         *       "cron_expression": "@daily",
         *       "include_prereleases": false
         *     }
         */
        UpdateGatherJobRequest: {
            name?: components["schemas"]["Name"];
            source_type?: components["schemas"]["ReleaseSourceType"];
            /** @description As in CreateGatherJobRequest: any form that people paste, stored in one form by source type. User information in it is rejected. */
            artifact_name?: string;
            source_options?: components["schemas"]["GatherSourceOptions"];
            version_scheme?: components["schemas"]["VersionScheme"];
            /** @description RE2 pattern over tags: only tags that match are kept, and the first capture group (else the match) is the version. Null: every tag as it is. */
            version_pattern?: string | null;
            /** @description Whether pre-releases are stored too. */
            include_prereleases?: boolean;
            /** @description How many releases are kept for each variant, the highest ones. Null: the setting `gather.max_releases`. */
            max_releases?: number | null;
            /** @description Five-field cron or `@daily` and its kin. Null: no schedule of its own; it runs when it is made, when what it reads changes, and by hand. */
            cron_expression?: string | null;
            cron_timezone?: components["schemas"]["CronTimezone"];
            /** @description Name of a credential in the configuration of an agent. Null: none. */
            credential_name?: string | null;
            /** @description Whether it runs by its schedule. */
            is_active?: boolean;
        };
        /**
         * @description What was cleared.
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
            /** @description How many items there are in all, counted up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The limit that was used. */
            limit: number;
            /** @description The offset that was used. */
            offset: number;
        };
        /**
         * @description How the deployed version is found: `yq` a path in YAML or JSON, `jq` dotted keys in JSON, `regex` an RE2 pattern over the whole file, `manual` entered by hand or by CI.
         * @example yq
         * @enum {string}
         */
        ParserType: "yq" | "jq" | "regex" | "manual";
        /**
         * @description What is done to a version after it is found: nothing; `v` or `V` is added, unless the version already begins with either of them; or one leading `v` or `V` is removed.
         * @example none
         * @enum {string}
         */
        VersionTransform: "none" | "add_v_lower" | "add_v_upper" | "strip_v_lower" | "strip_v_upper";
        /**
         * @description A source of deployed versions, its state and the version deployed now.
         * @example {
         *       "id": 42,
         *       "name": "web in production",
         *       "parser_type": "yq",
         *       "repository_url": "https://github.com/acme/deploy",
         *       "ref": "main",
         *       "target_file": "charts/web/values.yaml",
         *       "parse_expression": ".image.tag",
         *       "version_transform": "none",
         *       "credential_name": "deploy-readonly",
         *       "cron_expression": "*\/15 * * * *",
         *       "cron_timezone": "UTC",
         *       "history_limit": 100,
         *       "is_active": true,
         *       "status": "completed",
         *       "waiting_for": "time",
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
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z",
         *       "revision": 3
         *     }
         */
        ScrapeJob: {
            /**
             * Format: int64
             * @description Id of the scrape job.
             */
            id: number;
            name: components["schemas"]["Name"];
            parser_type: components["schemas"]["ParserType"];
            /** @description Git repository, `https://` or `ssh://` (also `git@host:path`), without user information and not beginning with `-`. Null for manual jobs. */
            repository_url: string | null;
            /** @description Branch, tag, commit or `HEAD`, not beginning with `-`. Null for manual jobs. */
            ref: string | null;
            /** @description Path of the file from the root of the repository. Null for manual jobs. */
            target_file: string | null;
            /** @description Where the version stands in the file: a path or a pattern, by `parser_type`. Null for manual jobs. */
            parse_expression: string | null;
            version_transform: components["schemas"]["VersionTransform"];
            /** @description Name of a credential in the configuration of an agent. Null: none. */
            credential_name: string | null;
            /** @description Five-field cron or `@daily` and its kin. Null: no schedule; it runs when it is made, when what it reads changes, and by hand. */
            cron_expression: string | null;
            cron_timezone: components["schemas"]["CronTimezone"];
            /** @description How many versions are kept. Unchanged ones go first; the newest always stays. */
            history_limit: number;
            /** @description Whether it runs by its schedule. */
            is_active: boolean;
            status: components["schemas"]["JobStatus"];
            /** @description What it waits for. Null while it runs or when nothing is planned. */
            waiting_for: components["schemas"]["JobWaitingFor"] | null;
            /**
             * Format: date-time
             * @description When it runs next. Null without a schedule or when inactive.
             */
            next_run_at: string | null;
            /** @description Its last run that has begun. Null before the first. */
            last_run: components["schemas"]["Run"] | null;
            /** @description The version deployed now. Null before the first. */
            latest_version: string | null;
            /**
             * Format: date-time
             * @description When it was last seen or set. Null before the first.
             */
            latest_version_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
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
         *           "repository_url": "https://github.com/acme/deploy",
         *           "ref": "main",
         *           "target_file": "charts/web/values.yaml",
         *           "parse_expression": ".image.tag",
         *           "version_transform": "none",
         *           "credential_name": "deploy-readonly",
         *           "cron_expression": "*\/15 * * * *",
         *           "cron_timezone": "UTC",
         *           "history_limit": 100,
         *           "is_active": true,
         *           "status": "completed",
         *           "waiting_for": "time",
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
        ListScrapeJobsResponse: {
            /** @description The items of this page. */
            items: components["schemas"]["ScrapeJob"][];
            /** @description How many items there are in all, counted up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The limit that was used. */
            limit: number;
            /** @description The offset that was used. */
            offset: number;
        };
        /**
         * @description A new scrape job. `repository_url`, `target_file` and `parse_expression` are required unless `parser_type` is `manual`; then they, `ref`, `credential_name` and `cron_expression` have to be absent or null. `ref` is `HEAD` when absent.
         * @example {
         *       "name": "web in production",
         *       "parser_type": "yq",
         *       "repository_url": "https://github.com/acme/deploy",
         *       "ref": "main",
         *       "target_file": "charts/web/values.yaml",
         *       "parse_expression": ".image.tag",
         *       "cron_expression": "*\/15 * * * *"
         *     }
         */
        CreateScrapeJobRequest: {
            name: components["schemas"]["Name"];
            parser_type: components["schemas"]["ParserType"];
            /** @description Git repository, `https://` or `ssh://` (also `git@host:path`), without user information and not beginning with `-`. Null for manual jobs. */
            repository_url?: string | null;
            /** @description Branch, tag, commit or `HEAD`, not beginning with `-`. Null for manual jobs. */
            ref?: string | null;
            /** @description Path of the file from the root of the repository. Null for manual jobs. */
            target_file?: string | null;
            /** @description Where the version stands in the file: a path or a pattern, by `parser_type`. Null for manual jobs. */
            parse_expression?: string | null;
            /** @default none */
            version_transform?: components["schemas"]["VersionTransform"];
            /**
             * @description Name of a credential in the configuration of an agent. Null: none.
             * @default null
             */
            credential_name?: string | null;
            /**
             * @description Five-field cron or `@daily` and its kin. Null: no schedule; it runs when it is made, when what it reads changes, and by hand.
             * @default null
             */
            cron_expression?: string | null;
            /** @default UTC */
            cron_timezone?: components["schemas"]["CronTimezone"];
            /**
             * @description How many versions are kept. Unchanged ones go first; the newest always stays.
             * @default 100
             */
            history_limit?: number;
            /**
             * @description Whether it runs by its schedule.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description Changes of a scrape job: at least one field; fields that are absent keep their values. `parser_type` never changes to or from `manual`. A changed `version_transform` applies to the newest raw version immediately: it is recorded again as a new version, and everything that uses the job is evaluated. 400 when it leaves nothing of it.
         * @example {
         *       "target_file": "charts/web/values-production.yaml"
         *     }
         */
        UpdateScrapeJobRequest: {
            name?: components["schemas"]["Name"];
            parser_type?: components["schemas"]["ParserType"];
            /** @description Git repository, `https://` or `ssh://` (also `git@host:path`), without user information and not beginning with `-`. Null for manual jobs. */
            repository_url?: string | null;
            /** @description Branch, tag, commit or `HEAD`, not beginning with `-`. Null for manual jobs. */
            ref?: string | null;
            /** @description Path of the file from the root of the repository. Null for manual jobs. */
            target_file?: string | null;
            /** @description Where the version stands in the file: a path or a pattern, by `parser_type`. Null for manual jobs. */
            parse_expression?: string | null;
            version_transform?: components["schemas"]["VersionTransform"];
            /** @description Name of a credential in the configuration of an agent. Null: none. */
            credential_name?: string | null;
            /** @description Five-field cron or `@daily` and its kin. Null: no schedule; it runs when it is made, when what it reads changes, and by hand. */
            cron_expression?: string | null;
            cron_timezone?: components["schemas"]["CronTimezone"];
            /** @description How many versions are kept. Unchanged ones go first; the newest always stays. */
            history_limit?: number;
            /** @description Whether it runs by its schedule. */
            is_active?: boolean;
        };
        /**
         * @description Whether an agent found the version or it was set by hand or by CI.
         * @example agent
         * @enum {string}
         */
        VersionSource: "agent" | "manual";
        /**
         * @description A snapshot of a deployed version. Every successful run and every version set by hand stores one.
         * @example {
         *       "id": 42,
         *       "scrape_job_id": 7,
         *       "scrape_job_name": "web in production",
         *       "version": "v1.11.3",
         *       "raw_version": "1.11.3",
         *       "version_transform": "add_v_lower",
         *       "source": "agent",
         *       "commit_sha": "9fceb02d0ae598e95dc970b74767f19372d61af8",
         *       "is_change": true,
         *       "discovered_at": "2026-11-21T05:10:00.000Z",
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z"
         *     }
         */
        Version: {
            /**
             * Format: int64
             * @description Id of the snapshot.
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
            /** @description The version as it was found or entered. */
            raw_version: string;
            version_transform: components["schemas"]["VersionTransform"];
            source: components["schemas"]["VersionSource"];
            /** @description The commit in which it was found. Null when set by hand. */
            commit_sha: string | null;
            /** @description Whether it differs from the snapshot before; the first one does. */
            is_change: boolean;
            /**
             * Format: date-time
             * @description When it was found or set.
             */
            discovered_at: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
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
         *           "is_change": true,
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
            /** @description How many items there are in all, counted up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The limit that was used. */
            limit: number;
            /** @description The offset that was used. */
            offset: number;
        };
        /**
         * @description A version as written. White space around it is removed before its length is checked.
         * @example 1.25.3
         */
        VersionString: string;
        /**
         * @description The version that is deployed now.
         * @example {
         *       "version": "1.11.3"
         *     }
         */
        SetVersionRequest: {
            version: components["schemas"]["VersionString"];
        };
        /**
         * @description A parser and a text to try it on. Nothing is stored and nothing is fetched.
         * @example {
         *       "parser_type": "yq",
         *       "parse_expression": ".image.tag",
         *       "content": "image:\n  tag: 1.11.3\n"
         *     }
         */
        PreviewScrapeJobRequest: {
            /**
             * @description The parser; `manual` has nothing to try.
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
            /** @description What kind of failure it is, for programs. */
            code: string;
            /** @description What was found at which step, for people. */
            message: string;
        };
        /**
         * @description What the parser found, or exactly why it found nothing.
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
            /** @description The version as it stands in the text. Null when none was found. */
            raw_version: string | null;
            /** @description The version after the transform. Null when none was found. */
            version: string | null;
            /** @description Why nothing was found. Null when something was. */
            error: components["schemas"]["PreviewError"] | null;
        };
        /**
         * @description A Helm repository that is read as a whole, its state and how many charts it has.
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
             * @description Id of the helm sync job.
             */
            id: number;
            name: components["schemas"]["Name"];
            /** @description Address of the Helm repository, without `/index.yaml` and without user information. */
            repository_url: string;
            /** @description Globs of chart names, in which `*` stands for any characters and `?` for one; a chart that matches any of them is read. Empty: all charts. */
            chart_filter: string[];
            /** @description Whether each chart gets a gather job that this sync feeds. */
            create_gather_jobs: boolean;
            /** @description Five-field cron or `@daily` and its kin. Null: no schedule; it runs when it is made, when what it reads changes, and by hand. */
            cron_expression: string | null;
            cron_timezone: components["schemas"]["CronTimezone"];
            /** @description Name of a credential in the configuration of an agent. Null: none. */
            credential_name: string | null;
            /** @description Whether it runs by its schedule. */
            is_active: boolean;
            scope: components["schemas"]["Scope"];
            status: components["schemas"]["JobStatus"];
            /** @description What it waits for. Null while it runs or when nothing is planned. */
            waiting_for: components["schemas"]["JobWaitingFor"] | null;
            /**
             * Format: date-time
             * @description When it runs next. Null without a schedule or when inactive.
             */
            next_run_at: string | null;
            /** @description Its last run that has begun. Null before the first. */
            last_run: components["schemas"]["Run"] | null;
            /** @description How many charts it has found. */
            chart_count: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
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
         *           "updated_at": "2026-11-21T05:10:00.000Z"
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
            /** @description How many items there are in all, counted up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The limit that was used. */
            limit: number;
            /** @description The offset that was used. */
            offset: number;
        };
        /**
         * @description A new helm sync job. It runs once as soon as it is made, when it is active.
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
            /** @description Address of the Helm repository, without `/index.yaml` and without user information. */
            repository_url: string;
            /**
             * @description Globs of chart names, in which `*` stands for any characters and `?` for one; a chart that matches any of them is read. Empty: all charts.
             * @default []
             */
            chart_filter?: string[];
            /**
             * @description Whether each chart gets a gather job that this sync feeds.
             * @default true
             */
            create_gather_jobs?: boolean;
            /**
             * @description Five-field cron or `@daily` and its kin. Null: no schedule; it runs when it is made, when what it reads changes, and by hand.
             * @default null
             */
            cron_expression?: string | null;
            /** @default UTC */
            cron_timezone?: components["schemas"]["CronTimezone"];
            /**
             * @description Name of a credential in the configuration of an agent. Null: none.
             * @default null
             */
            credential_name?: string | null;
            /**
             * @description Whether it runs by its schedule.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description Changes of a helm sync job: at least one field; fields that are absent keep their values.
         * @example {
         *       "chart_filter": []
         *     }
         */
        UpdateHelmSyncJobRequest: {
            name?: components["schemas"]["Name"];
            /** @description Address of the Helm repository, without `/index.yaml` and without user information. */
            repository_url?: string;
            /** @description Globs of chart names, in which `*` stands for any characters and `?` for one; a chart that matches any of them is read. Empty: all charts. */
            chart_filter?: string[];
            /** @description Whether each chart gets a gather job that this sync feeds. */
            create_gather_jobs?: boolean;
            /** @description Five-field cron or `@daily` and its kin. Null: no schedule; it runs when it is made, when what it reads changes, and by hand. */
            cron_expression?: string | null;
            cron_timezone?: components["schemas"]["CronTimezone"];
            /** @description Name of a credential in the configuration of an agent. Null: none. */
            credential_name?: string | null;
            /** @description Whether it runs by its schedule. */
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
            /** @description The version of the application in that chart version. Null when the chart names none. */
            app_version: string | null;
            /** @description What the chart says of itself. */
            description: string | null;
            /** @description Whether the chart is marked as deprecated. */
            deprecated: boolean;
            /** @description How many distinct versions the repository lists. */
            version_count: number;
            /**
             * Format: int64
             * @description The gather job that follows this chart. Null when there is none.
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
            /** @description How many items there are in all, counted up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The limit that was used. */
            limit: number;
            /** @description The offset that was used. */
            offset: number;
        };
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
         *       "discovered_at": "2026-11-21T05:10:00.000Z",
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z"
         *     }
         */
        Release: {
            /**
             * Format: int64
             * @description Id of the release.
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
            /** @description The version: the tag, or what `version_pattern` found in it. */
            version: string;
            /** @description The tag as the source has it. */
            tag: string;
            /** @description Charts: the version of the application within. */
            app_version: string | null;
            /**
             * Format: date-time
             * @description When it was released, as the source says. Null when it does not say.
             */
            released_at: string | null;
            /** @description Whether the source or the version says that it is a pre-release. */
            is_prerelease: boolean;
            /** @description Whether the source says that it was taken back. */
            is_yanked: boolean;
            /** @description Whether the source listed it once and no longer does. */
            is_withdrawn: boolean;
            /** @description Page of the release, `http` or `https`. */
            url: string | null;
            /**
             * Format: date-time
             * @description When it was first seen.
             */
            discovered_at: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
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
            /** @description How many items there are in all, counted up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The limit that was used. */
            limit: number;
            /** @description The offset that was used. */
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
         *       "discovered_at": "2026-11-21T05:10:00.000Z",
         *       "created_at": "2026-11-21T05:10:00.000Z",
         *       "updated_at": "2026-11-21T05:10:00.000Z",
         *       "notes": "Fixes a crash on start."
         *     }
         */
        ReleaseDetail: {
            /**
             * Format: int64
             * @description Id of the release.
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
            /** @description The version: the tag, or what `version_pattern` found in it. */
            version: string;
            /** @description The tag as the source has it. */
            tag: string;
            /** @description Charts: the version of the application within. */
            app_version: string | null;
            /**
             * Format: date-time
             * @description When it was released, as the source says. Null when it does not say.
             */
            released_at: string | null;
            /** @description Whether the source or the version says that it is a pre-release. */
            is_prerelease: boolean;
            /** @description Whether the source says that it was taken back. */
            is_yanked: boolean;
            /** @description Whether the source listed it once and no longer does. */
            is_withdrawn: boolean;
            /** @description Page of the release, `http` or `https`. */
            url: string | null;
            /**
             * Format: date-time
             * @description When it was first seen.
             */
            discovered_at: string;
            /** @description Release notes as the source has them, plain text or Markdown. Null when there are none. */
            notes: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        /**
         * @description What is known of the releases of one gather job.
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
            /** @description How many releases are stored. */
            release_count: number;
            /** @description How many of them are stable. */
            stable_count: number;
            /** @description The highest version by precedence among releases of the usual form: without suffix and with the most frequent prefix, else among all. Null without releases. */
            latest_version: string | null;
            /** @description The highest stable version by precedence. Null when there is none. */
            latest_stable_version: string | null;
            /**
             * Format: date-time
             * @description When `latest_version` was released. Null when unknown.
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
            /** @description How many items there are in all, counted up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The limit that was used. */
            limit: number;
            /** @description The offset that was used. */
            offset: number;
        };
        /**
         * @description A setting and its value: the global one, or the override of the organization.
         * @example {
         *       "key": "delivery.timeout_seconds",
         *       "value": 15,
         *       "default_value": 15,
         *       "scope": "global",
         *       "value_schema": {
         *         "type": "integer",
         *         "minimum": 1,
         *         "maximum": 30
         *       },
         *       "description": "Seconds that a webhook may take in all.",
         *       "revision": 0
         *     }
         */
        Setting: {
            /** @description The key. */
            key: string;
            /** @description The value, of the form that `value_schema` says. */
            value: unknown;
            /** @description The value that holds without an override. */
            default_value: unknown;
            /** @description Where `value` comes from: `global`, or `organization` for an override. */
            scope: components["schemas"]["Scope"];
            /** @description JSON Schema of the value. */
            value_schema: {
                [key: string]: unknown;
            };
            /** @description What the setting does, with its unit. */
            description: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description All settings that were asked for.
         * @example {
         *       "items": [
         *         {
         *           "key": "delivery.timeout_seconds",
         *           "value": 20,
         *           "default_value": 15,
         *           "scope": "organization",
         *           "value_schema": {
         *             "type": "integer",
         *             "minimum": 1,
         *             "maximum": 30
         *           },
         *           "description": "Seconds that a webhook may take in all."
         *         }
         *       ]
         *     }
         */
        ListSettingsResponse: {
            /** @description The settings that were asked for. */
            items: components["schemas"]["Setting"][];
        };
        /**
         * @description Whether the agent was heard of within the last 60 seconds.
         * @example online
         * @enum {string}
         */
        AgentStatus: "online" | "offline";
        /**
         * @description Whether the agent runs within the service or somewhere else.
         * @example embedded
         * @enum {string}
         */
        AgentKind: "embedded" | "remote";
        /**
         * @description The kind of job that a task is a run of.
         * @example gather
         * @enum {string}
         */
        TaskKind: "gather" | "scrape" | "helm_sync";
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
             * @description Id of the task, which is the id of the run.
             */
            task_id: number;
            kind: components["schemas"]["TaskKind"];
            /**
             * Format: int64
             * @description The job that it is a run of.
             */
            job_id: number;
            /** @description Its name. */
            job_name: string;
            /**
             * Format: date-time
             * @description When the agent took it.
             */
            started_at: string;
        };
        /**
         * @description A program that gathers, scrapes and synchronizes for the organization. Of the embedded one each organization sees only its own tasks and credential names.
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
             * @description Id of the agent.
             */
            id: number;
            /** @description Its name, unique in the organization. */
            name: string;
            kind: components["schemas"]["AgentKind"];
            /** @description The host that it runs on. */
            hostname: string;
            /** @description Its version of Pacekeeper. */
            version: string;
            /** @description What it can do: a kind of task, for `gather` with the source type. */
            capabilities: string[];
            /** @description Names of the credentials that it has. */
            credential_names: string[];
            status: components["schemas"]["AgentStatus"];
            /**
             * Format: date-time
             * @description When it was last heard of.
             */
            last_heartbeat_at: string;
            /** @description What it is running now, for this organization. */
            running: components["schemas"]["RunningTask"][];
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
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
            /** @description How many items there are in all, counted up to 10,000. */
            total: number;
            /** @description False when there are more than 10,000 items. */
            total_is_exact: boolean;
            /** @description The limit that was used. */
            limit: number;
            /** @description The offset that was used. */
            offset: number;
        };
        /**
         * @description A pattern to compile, and perhaps a text to run it on.
         * @example {
         *       "pattern": "version:\\s*(\\S+)",
         *       "sample": "version: 1.11.3"
         *     }
         */
        ValidateRegexRequest: {
            /** @description Regular expression in RE2 syntax. */
            pattern: string;
            /** @description Text to run the pattern on. Without it the pattern is only compiled. */
            sample?: string;
        };
        /**
         * @description Whether a pattern compiles, and what it finds in the sample.
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
            /** @description Why it does not compile. Null when it does. */
            error: string | null;
            /** @description How many capture groups it has; 0 when it does not compile. */
            group_count: number;
            /** @description What it finds in the sample: the first capture group, else the match. Null without a sample or a match. */
            match: string | null;
            /** @description What the first 20 capture groups hold, each cut to 1,000 characters; null for a group that took no part. Null without a sample, or when the pattern isn't found in it. */
            groups: (string | null)[] | null;
        };
        /**
         * @description What a rule counts. `days_behind`: whole days since the deployed release came out, while something newer exists. `majors_behind`: major versions between the deployed and the latest one. `minors_behind`: distinct major.minor lines above the deployed one.
         * @example days_behind
         * @enum {string}
         */
        MonitoringRuleType: "days_behind" | "majors_behind" | "minors_behind";
        /**
         * @description From how many days, majors or minors behind (the unit follows the rule type) an alert has which severity. At least one; the given ones ascend strictly in the order moderate, high, critical.
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
            /** @description From this many on an alert is moderate. */
            moderate?: number;
            /** @description From this many on an alert is high. */
            high?: number;
            /** @description From this many on an alert is critical. */
            critical?: number;
        };
        /**
         * @description Where a days rule begins to count: at the date of the deployed release, or at the date of the first release above it, which is the default for new rules. A rule keeps its own until it is changed.
         * @example deployed_release
         * @enum {string}
         */
        DaysBasis: "deployed_release" | "first_newer_release";
        /**
         * @description How far a deployed version may fall behind the releases before an alert is raised, and with which severity.
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
             * @description Id of the rule.
             */
            id: number;
            /** @description Name of the rule. */
            name: string;
            /** @description Free text; empty when none was given. */
            description: string;
            rule_type: components["schemas"]["MonitoringRuleType"];
            thresholds: components["schemas"]["MonitoringThresholds"];
            /** @description Whether pre-releases are left out of the comparison. */
            stable_only: boolean;
            /** @description Where a days rule begins to count; null for other types. */
            days_basis: components["schemas"]["DaysBasis"] | null;
            /** @description Releases younger than this many days are not compared yet. */
            min_release_age_days: number;
            /** @description Whether the rule is evaluated. Turning it off resolves its alerts. */
            is_active: boolean;
            /** @description How many alert configurations use the rule. */
            alert_config_count: number;
            /** @description How many alerts of the rule are open. Disabling the rule resolves them, and enabling it opens them again while they still violate it; deleting it deletes them. */
            open_alert_count: number;
            /**
             * Format: date-time
             * @description When the rule was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the rule was last changed.
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
         *           "min_release_age_days": 0,
         *           "is_active": true,
         *           "alert_config_count": 12,
         *           "open_alert_count": 3,
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
        ListMonitoringRulesResponse: {
            /** @description The monitoring rules of this page. */
            items: components["schemas"]["MonitoringRule"][];
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
         * @description Free text for people.
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
             * @description Whether pre-releases are left out of the comparison.
             * @default true
             */
            stable_only?: boolean;
            /** @description Only for rules of type `days_behind`; others refuse it. Without it: `first_newer_release`. */
            days_basis?: components["schemas"]["DaysBasis"];
            /**
             * @description Releases younger than this many days are not compared yet.
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
         * @description What to change in a monitoring rule; omitted members keep their value, `thresholds` are replaced as a whole.
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
            /** @description Free text for people. Null: empty. */
            description?: components["schemas"]["Description"] | null;
            rule_type?: components["schemas"]["MonitoringRuleType"];
            thresholds?: components["schemas"]["MonitoringThresholds"];
            /** @description Whether pre-releases are left out of the comparison. */
            stable_only?: boolean;
            /** @description Only for rules of type `days_behind`; others reject it. Null, as other rules have it, changes nothing. */
            days_basis?: components["schemas"]["DaysBasis"] | null;
            /** @description Releases younger than this many days are not compared yet. */
            min_release_age_days?: number;
            /** @description Whether the rule is evaluated. */
            is_active?: boolean;
        };
        /**
         * @description What this evaluation did. Every count is that of this call alone.
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
            /** @description Alerts raised. */
            alerts_created: number;
            /** @description Open alerts whose versions, reason or lower severity changed in place. */
            alerts_updated: number;
            /** @description Open alerts that rose to a higher severity. */
            alerts_escalated: number;
            /** @description Alerts resolved because the deployed version has caught up or its configuration is off. */
            alerts_resolved: number;
            /** @description Configurations for which nothing changed. */
            unchanged: number;
            /** @description Configurations without a version or a release to compare. */
            no_data: number;
            /** @description Configurations that could not be evaluated by a fault of the service; they are tried again. */
            failed: number;
            /** @description Configurations left when the time of the call ended (60 s); they are evaluated next in the background. */
            remaining: number;
            /** @description How long it took, in milliseconds. */
            duration_ms: number;
        };
        /**
         * @description How serious an alert is, in ascending order: moderate, high, critical.
         * @example moderate
         * @enum {string}
         */
        AlertSeverity: "moderate" | "high" | "critical";
        /**
         * @description Where an alert stands. Open ones are unacknowledged or acknowledged.
         * @example unacknowledged
         * @enum {string}
         */
        AlertStatus: "unacknowledged" | "acknowledged" | "resolved";
        /**
         * @description `behind`: newer releases exist. `version_not_found`: the deployed version is unknown upstream. `version_unparseable`: it is not a version.
         * @example behind
         * @enum {string}
         */
        AlertReason: "behind" | "version_not_found" | "version_unparseable";
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
         * @description Who did something: a user, an API key, somebody with an acknowledge link, or the service itself.
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
             * @description Id of the user or key. Null for links and the system.
             */
            id: number | null;
            /** @description The name at the time of the action. */
            name: string;
        };
        /**
         * @description How an alert ended. `caught_up`: no longer behind. `manual`: resolved by somebody. `disabled`: its rule or configuration was turned off. `reconfigured`: its configuration compares other things now.
         * @example caught_up
         * @enum {string}
         */
        AlertResolution: "caught_up" | "manual" | "disabled" | "reconfigured";
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
         * @description `ok`: within the thresholds. `alerting`: beyond one. `no_data`: nothing to compare yet. `stale`: the source of releases or versions has not succeeded for too long. `inactive`: the configuration or its rule is off.
         * @example ok
         * @enum {string}
         */
        AlertConfigState: "ok" | "alerting" | "no_data" | "stale" | "inactive";
        /**
         * @description Why an alert configuration is in its state, where the state alone does not say it.
         * @example ahead_of_upstream
         * @enum {string}
         */
        StateReason: "ahead_of_upstream" | "variant_ended" | "resolved_by_hand" | "snoozed" | "no_release" | "no_version" | "no_candidate" | "not_comparable" | "version_not_found" | "version_unparseable" | "source_failing";
        /**
         * @description Links a scrape job (what is deployed), a gather job (what exists) and a rule, and says how the comparison stands.
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
         *       "labels": {
         *         "team": "platform"
         *       },
         *       "candidate_pattern": null,
         *       "ordinal": 0,
         *       "ignored_versions": [],
         *       "is_active": true,
         *       "state": "alerting",
         *       "state_reason": null,
         *       "severity": "moderate",
         *       "deployed_version": "v3.1.2",
         *       "latest_version": "v3.3.4",
         *       "latest_stable_version": "v3.3.4",
         *       "behind_by": 45,
         *       "behind_since": "2026-01-29T10:12:00.000Z",
         *       "crossed_at": "2026-02-28T10:12:00.000Z",
         *       "last_evaluated_at": "2026-03-15T09:30:00.000Z",
         *       "next_evaluation_at": "2026-03-30T10:12:00.000Z",
         *       "active_alert_id": 88,
         *       "open_alert_count": 1,
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 3
         *     }
         */
        AlertConfig: {
            /**
             * Format: int64
             * @description Id of the alert configuration.
             */
            id: number;
            /** @description Name of the alert configuration. */
            name: string;
            /**
             * Format: int64
             * @description The scrape job that finds the deployed version.
             */
            scrape_job_id: number;
            /**
             * Format: int64
             * @description The gather job that finds the releases.
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
            labels: components["schemas"]["Labels"];
            /** @description RE2 pattern; only releases whose version matches are compared. Null: all. */
            candidate_pattern: string | null;
            /** @description 0 unless others compare the same scrape job, gather job, rule, and `candidate_pattern`; then it tells them apart. */
            ordinal: number;
            /** @description Releases that are never compared, by version. */
            ignored_versions: string[];
            /** @description Whether it is evaluated. */
            is_active: boolean;
            state: components["schemas"]["AlertConfigState"];
            /** @description Why it is in this state; null when the state says it all. */
            state_reason: components["schemas"]["StateReason"] | null;
            /** @description Severity by the last evaluation; null when within the thresholds. */
            severity: components["schemas"]["AlertSeverity"] | null;
            /** @description The version that runs, after the version transform. */
            deployed_version: string | null;
            /** @description The highest release of those compared. */
            latest_version: string | null;
            /** @description The highest stable release of those compared. */
            latest_stable_version: string | null;
            /** @description Days, majors or minors behind, by the type of the rule; days are counted at the time of the answer. Null when unknown. */
            behind_by: number | null;
            /**
             * Format: date-time
             * @description From when a days rule counts; null when it is not behind, unknown, or another type of rule.
             */
            behind_since: string | null;
            /**
             * Format: date-time
             * @description When the threshold of `severity` was crossed; null within the thresholds.
             */
            crossed_at: string | null;
            /**
             * Format: date-time
             * @description When it was last evaluated.
             */
            last_evaluated_at: string | null;
            /**
             * Format: date-time
             * @description When time alone will change the answer next; null when it will not.
             */
            next_evaluation_at: string | null;
            /**
             * Format: int64
             * @description Its open alert.
             */
            active_alert_id: number | null;
            /** @description How many alerts are open: 1 or 0. Disabling the configuration resolves its alert, and enabling it opens another one while it's still behind; deleting it deletes its alerts. */
            open_alert_count: number;
            /**
             * Format: date-time
             * @description When the alert configuration was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the alert configuration was last changed.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description A deployed version that has fallen behind. A configuration has at most one open alert, which is updated in place. The last four members are there only in the answer for one alert (`GET /alerts/{id}`).
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
         *       "crossed_at": "2026-02-28T10:12:00.000Z",
         *       "is_estimate": false,
         *       "artifact_name": "github.com/traefik/traefik",
         *       "repository_url": "https://git.example/platform/deploy.git",
         *       "target_file": "traefik/values.yaml",
         *       "release_url": "https://github.com/traefik/traefik/releases/tag/v3.3.4",
         *       "labels": {
         *         "team": "platform"
         *       },
         *       "acknowledged_at": "2026-03-15T09:30:00.000Z",
         *       "acknowledged_by": {
         *         "type": "user",
         *         "id": 3,
         *         "name": "Dana"
         *       },
         *       "escalated_at": null,
         *       "snoozed_until": null,
         *       "snoozed_until_version_changes": false,
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
             * @description Id of the alert.
             */
            id: number;
            /**
             * Format: int64
             * @description The alert configuration that raised it.
             */
            alert_config_id: number;
            /** @description Name of the alert configuration. */
            alert_config_name: string;
            /**
             * Format: int64
             * @description The rule that it breaks.
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
            /** @description The highest release of those compared. */
            latest_version: string | null;
            /** @description Days, majors or minors behind, by `rule_type`; for an open alert days are counted at the time of the answer. Null when unknown. */
            behind_by: number | null;
            /**
             * Format: date-time
             * @description When the threshold of its severity was crossed. For days: when enough days had passed; for majors and minors: when the release came out that made the count reach it; where nothing can be counted: when that was found.
             */
            crossed_at: string;
            /** @description Whether a date had to be estimated. */
            is_estimate: boolean;
            /** @description What is released upstream. */
            artifact_name: string;
            /** @description The repository in which the version is deployed; null for a manual scrape job. */
            repository_url: string | null;
            /** @description The file in it; null for a manual scrape job. */
            target_file: string | null;
            /** @description Page of the latest release, http or https. */
            release_url: string | null;
            /** @description The labels of the alert configuration. */
            labels: components["schemas"]["Labels"];
            /**
             * Format: date-time
             * @description When it was acknowledged.
             */
            acknowledged_at: string | null;
            /** @description Who acknowledged it. */
            acknowledged_by: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When its severity last rose.
             */
            escalated_at: string | null;
            /**
             * Format: date-time
             * @description Until when it sends no notification but of escalation and resolution.
             */
            snoozed_until: string | null;
            /** @description Whether the deployed version or the latest one ends its snooze; with `snoozed_until`, whichever comes first. */
            snoozed_until_version_changes: boolean;
            /**
             * Format: date-time
             * @description When it was resolved.
             */
            resolved_at: string | null;
            /** @description Who resolved it; type `system` when it resolved itself. */
            resolved_by: components["schemas"]["Actor"] | null;
            /** @description How it ended; null while open. */
            resolution: components["schemas"]["AlertResolution"] | null;
            /**
             * Format: date-time
             * @description When the alert was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the alert was last changed.
             */
            updated_at: string;
            /** @description Only for one alert: its configuration in full. */
            alert_config?: components["schemas"]["AlertConfig"];
            /** @description Only for one alert: its rule in full. */
            rule?: components["schemas"]["MonitoringRule"];
            /** @description Only for one alert: its scrape job in full. */
            scrape_job?: components["schemas"]["ScrapeJob"];
            /** @description Only for one alert: its gather job in full. */
            gather_job?: components["schemas"]["GatherJob"];
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
         *           "crossed_at": "2026-02-28T10:12:00.000Z",
         *           "is_estimate": false,
         *           "artifact_name": "github.com/traefik/traefik",
         *           "repository_url": "https://git.example/platform/deploy.git",
         *           "target_file": "traefik/values.yaml",
         *           "release_url": "https://github.com/traefik/traefik/releases/tag/v3.3.4",
         *           "labels": {
         *             "team": "platform"
         *           },
         *           "acknowledged_at": "2026-03-15T09:30:00.000Z",
         *           "acknowledged_by": {
         *             "type": "user",
         *             "id": 3,
         *             "name": "Dana"
         *           },
         *           "escalated_at": null,
         *           "snoozed_until": null,
         *           "snoozed_until_version_changes": false,
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
         * @description Counts by severity.
         * @example {
         *       "moderate": 4,
         *       "high": 2,
         *       "critical": 1
         *     }
         */
        AlertSeverityCounts: {
            /** @description How many are moderate. */
            moderate: number;
            /** @description How many are high. */
            high: number;
            /** @description How many are critical. */
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
            /** @description Open alerts that nobody acknowledged. */
            unacknowledged: number;
            /** @description Open alerts that somebody acknowledged. */
            acknowledged: number;
            /** @description Resolved alerts that are still kept. */
            resolved: number;
            /** @description Open alerts by severity. */
            by_severity: components["schemas"]["AlertSeverityCounts"];
            /** @description Unacknowledged alerts by severity. */
            unacknowledged_by_severity: components["schemas"]["AlertSeverityCounts"];
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
            /** @description Ids of the alerts; one given twice counts once. */
            alert_ids: number[];
        };
        /**
         * @description What became of each alert; every id stands in exactly one list.
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
            /** @description Acknowledged before; left as they were. */
            already_acknowledged: number[];
            /** @description Resolved, or no alert of this organization. */
            not_found: number[];
        };
        /**
         * @description An event that a delivery tells of. The last three concern the service itself and go to the default channel.
         * @example alert.created
         * @enum {string}
         */
        NotificationEventType: "alert.created" | "alert.escalated" | "alert.acknowledged" | "alert.unacknowledged" | "alert.resolved" | "alert.reminder" | "digest" | "channel.test" | "job.failing" | "agent.offline" | "channel.disabled";
        /**
         * @description `pending`: waits for its first attempt, or for its channel (`waiting_for`). `in_progress`: is being sent. `succeeded`. `failed`: will be tried again. `dead_letter`: given up. `canceled`: will not be sent.
         * @example pending
         * @enum {string}
         */
        NotificationDeliveryStatus: "pending" | "in_progress" | "succeeded" | "failed" | "dead_letter" | "canceled";
        /**
         * @description What a pending delivery waits for. `channel`: it was retried while its channel was inactive, and its attempts start when the channel is enabled.
         * @example channel
         * @enum {string}
         */
        DeliveryWait: "channel";
        /**
         * @description Why an attempt or a delivery ended as it did.
         * @example http_status
         * @enum {string}
         */
        DeliveryErrorCode: "http_status" | "redirect" | "gone" | "timeout" | "connection_failed" | "name_not_found" | "tls_failed" | "invalid_response" | "target_not_allowed" | "expired" | "template_failed" | "worker_lost" | "channel_inactive" | "channel_deleted" | "alert_deleted" | "no_channel" | "fallback_off" | "no_default_channel" | "channels_deleted" | "all_channels_inactive" | "snoozed";
        /**
         * @description What went wrong with an attempt.
         * @example {
         *       "code": "http_status",
         *       "message": "The target answered 503."
         *     }
         */
        DeliveryError: {
            code: components["schemas"]["DeliveryErrorCode"];
            /** @description The same in a sentence. */
            message: string;
        };
        /**
         * @description One event on its way to one channel.
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
         *       "completed_at": "2026-03-15T09:30:00.000Z",
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T09:30:00.000Z"
         *     }
         */
        NotificationDelivery: {
            /**
             * Format: int64
             * @description Id of the delivery.
             */
            id: number;
            /**
             * Format: int64
             * @description The channel; null once it was deleted.
             */
            channel_id: number | null;
            /** @description Name of the channel. */
            channel_name: string;
            /**
             * Format: int64
             * @description The alert; null when it was deleted, and for events that concern none.
             */
            alert_id: number | null;
            /**
             * Format: uuid
             * @description Id of the event, the same for every channel that hears of it.
             */
            event_id: string;
            event_type: components["schemas"]["NotificationEventType"];
            status: components["schemas"]["NotificationDeliveryStatus"];
            /** @description Attempts made so far. */
            attempt_count: number;
            /** @description Attempts after which it is given up. */
            max_attempts: number;
            /**
             * Format: date-time
             * @description When it is tried next; null when it is not.
             */
            next_attempt_at: string | null;
            /** @description Why it has no next attempt; null when it doesn't wait. */
            waiting_for: components["schemas"]["DeliveryWait"] | null;
            /**
             * Format: date-time
             * @description When it was last tried.
             */
            last_attempt_at: string | null;
            /** @description Status of the last answer. */
            response_status: number | null;
            /** @description Milliseconds that the last attempt took. */
            duration_ms: number | null;
            /** @description What went wrong last. */
            error: components["schemas"]["DeliveryError"] | null;
            /** @description Why it was canceled or given up, or `template_failed` when the default body was sent instead. */
            reason: components["schemas"]["DeliveryErrorCode"] | null;
            /**
             * Format: date-time
             * @description When it became final: succeeded, given up or canceled.
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the delivery was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the delivery was last changed.
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
         *           "completed_at": "2026-03-15T09:30:00.000Z",
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
        ListNotificationDeliveriesResponse: {
            /** @description The notification deliveries of this page. */
            items: components["schemas"]["NotificationDelivery"][];
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
         * @description What happened to an alert.
         * @example created
         * @enum {string}
         */
        AlertAction: "created" | "updated" | "escalated" | "deescalated" | "acknowledged" | "unacknowledged" | "snoozed" | "unsnoozed" | "resolved" | "reminded" | "notified" | "notification_failed" | "notification_skipped";
        /**
         * @description One thing that happened to an alert. Entries never change.
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
         *       "created_at": "2026-03-15T09:30:00.000Z",
         *       "updated_at": "2026-03-15T09:30:00.000Z"
         *     }
         */
        AuditTrailEntry: {
            /**
             * Format: int64
             * @description Id of the entry.
             */
            id: number;
            /**
             * Format: int64
             * @description The alert.
             */
            alert_id: number;
            action: components["schemas"]["AlertAction"];
            /** @description Who did it. */
            actor: components["schemas"]["Actor"];
            /** @description What the action changed, before it: a severity, a status, a version; null when there was none. */
            from: string | null;
            /** @description The same after it; null when there is none. */
            to: string | null;
            /** @description More about it in words: the channel that was notified, why a notification was skipped. */
            detail: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            updated_at: string;
        };
        /**
         * @description One page of entries of the trail of one alert, newest first.
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
            /** @description The entries of the trail of one alert of this page. */
            items: components["schemas"]["AuditTrailEntry"][];
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
         * @description How long an alert keeps silent: until a time, until the deployed or the latest version changes, or whichever of the two comes first. At least one of them.
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
             * @description A time to come.
             */
            until?: string;
            /** @description Whether a change of the deployed or the latest version ends it. */
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
         *           "labels": {
         *             "team": "platform"
         *           },
         *           "candidate_pattern": null,
         *           "ignored_versions": [],
         *           "is_active": true,
         *           "state": "alerting",
         *           "state_reason": null,
         *           "severity": "moderate",
         *           "deployed_version": "v3.1.2",
         *           "latest_version": "v3.3.4",
         *           "latest_stable_version": "v3.3.4",
         *           "behind_by": 45,
         *           "behind_since": "2026-01-29T10:12:00.000Z",
         *           "crossed_at": "2026-02-28T10:12:00.000Z",
         *           "last_evaluated_at": "2026-03-15T09:30:00.000Z",
         *           "next_evaluation_at": "2026-03-30T10:12:00.000Z",
         *           "active_alert_id": 88,
         *           "open_alert_count": 1,
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
        ListAlertConfigsResponse: {
            /** @description The alert configurations of this page. */
            items: components["schemas"]["AlertConfig"][];
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
         * @description A new alert configuration. Its parts must belong to the organization; the gather job may also be a global one.
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
             * @description The scrape job that finds the deployed version.
             */
            scrape_job_id: number;
            /**
             * Format: int64
             * @description The gather job that finds the releases; an own or a global one.
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
            /** @description Tells apart alert configurations that compare the same scrape job, gather job, rule, and `candidate_pattern`. Without it, a second one is rejected; with it, only one that has the same ordinal is. Configuration files use it for duplicates that were stored before they were rejected. */
            ordinal?: number;
            /**
             * @description Releases that are never compared, by version.
             * @default []
             */
            ignored_versions?: components["schemas"]["VersionString"][];
            /**
             * @description Whether it is evaluated.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description What to change in an alert configuration; omitted members keep their value, `labels` and `ignored_versions` are replaced as a whole.
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
             * @description The scrape job that finds the deployed version.
             */
            scrape_job_id?: number;
            /**
             * Format: int64
             * @description The gather job that finds the releases; an own or a global one.
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
            /** @description Tells apart alert configurations that compare the same scrape job, gather job, rule, and `candidate_pattern`. Without it, a second one is rejected; with it, only one that has the same ordinal is. Configuration files use it for duplicates that were stored before they were rejected. */
            ordinal?: number;
            /** @description Releases that are never compared, by version. */
            ignored_versions?: components["schemas"]["VersionString"][];
            /** @description Whether it is evaluated. */
            is_active?: boolean;
        };
        /**
         * @description Where the date of a release comes from; `discovered_at` when the source tells none.
         * @example released_at
         * @enum {string}
         */
        ReleaseDateSource: "released_at" | "discovered_at";
        /**
         * @description The reasons of one evaluation. Nothing in it changes by the passing of days: they are counted from `behind_since`.
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
         *         "variant_rule": "own_variant"
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
             * @description What the comparison says by itself.
             * @enum {string}
             */
            state: "ok" | "alerting" | "no_data";
            /** @description Why; null when the state says it all. */
            state_reason: string | null;
            /** @description The severity that follows; null for none. */
            severity: components["schemas"]["AlertSeverity"] | null;
            /** @description Why it alerts; null when it does not. */
            reason: components["schemas"]["AlertReason"] | null;
            /** @description The rule as it was applied. */
            rule: {
                rule_type: components["schemas"]["MonitoringRuleType"];
                /** @description The thresholds; null where the rule has none. */
                thresholds: {
                    /** @description Moderate from here on. */
                    moderate: number | null;
                    /** @description High from here on. */
                    high: number | null;
                    /** @description Critical from here on. */
                    critical: number | null;
                };
                /** @description Whether pre-releases were left out. */
                stable_only: boolean;
                /** @description Where a days rule begins to count; null for other types. */
                days_basis: components["schemas"]["DaysBasis"] | null;
                /** @description Releases younger than this were left out. */
                min_release_age_days: number;
            };
            /** @description The deployed version and the release that it was found to be. */
            deployed: {
                /** @description The deployed version; null when none is known. */
                version: string | null;
                /**
                 * @description How it was found: the very string, the same version in another spelling, a tag that moves and stands for the release, only a release below it, not at all, not a version, or nothing deployed.
                 * @enum {string}
                 */
                match: "exact" | "same_version" | "moving_tag" | "nearest_lower" | "none" | "unparseable" | "no_version";
                /** @description The release that it is; null when there is none. */
                release: string | null;
                /** @description The name before the numbers of the releases that it is compared with, when its own is another one; empty for releases without a name. */
                adopted_line?: string | null;
            };
            /** @description With `variant_ended`, the latest release of the variant in which the software continues. */
            continued_by?: string | null;
            /** @description The highest release that counts; null when none does. */
            latest: {
                /** @description Its version. */
                version: string;
                /**
                 * Format: date-time
                 * @description When it came out.
                 */
                date: string;
                date_source: components["schemas"]["ReleaseDateSource"];
            } | null;
            /** @description The releases that count. */
            candidates: {
                /** @description How many they are. */
                count: number;
                /**
                 * @description Those of the deployed version's own variant, else those without one, else all.
                 * @enum {string}
                 */
                variant_rule: "own_variant" | "without_suffix" | "all";
            };
            /** @description From which date the days are counted; null where none is. */
            date_used: {
                /**
                 * Format: date-time
                 * @description The date.
                 */
                at: string;
                source: components["schemas"]["ReleaseDateSource"];
                /**
                 * @description Whose date it is.
                 * @enum {string}
                 */
                of: "deployed_release" | "nearest_lower_release" | "first_newer_release";
                /** @description The version of that release. */
                version: string;
                /** @description Whether it stands in for a date that is not known. */
                is_estimate: boolean;
            } | null;
            /** @description Majors or minors behind; null for days, which are counted from `behind_since`. */
            behind_by: number | null;
            /**
             * Format: date-time
             * @description From when a days rule counts.
             */
            behind_since: string | null;
            /**
             * Format: date-time
             * @description The next instant at which time alone changes the answer; null for never.
             */
            next_change_at: string | null;
            /** @description Why releases did not count, with up to three examples for each reason. */
            left_out: {
                /**
                 * @description The first of the reasons that holds.
                 * @enum {string}
                 */
                reason: "other_line" | "not_a_version" | "platform_tag" | "moving_tag" | "withdrawn" | "yanked" | "prerelease" | "ignored" | "candidate_pattern" | "outlier" | "other_variant" | "too_young";
                /** @description How many. */
                count: number;
                /** @description The highest of them. */
                examples: string[];
            }[];
        };
        /**
         * @description Why an alert configuration stands where it stands, as its last evaluation saw it. To ask for it computes nothing.
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
             * @description When it was last evaluated; null before the first time.
             */
            evaluated_at: string | null;
            /** @description What was compared and what follows; null before the first evaluation and while it was never active. */
            explanation: components["schemas"]["EvaluationExplanation"] | null;
        };
        /**
         * @description Where the status badge of an alert configuration is, and how to show it.
         * @example {
         *       "url": "https://pacekeeper.example.com/badge/5d0c2f1e.2eimtxd.eyJvIjoyfQ.h9Zk.svg",
         *       "markdown": "[![Traefik](https://pacekeeper.example.com/badge/5d0c2f1e.2eimtxd.eyJvIjoyfQ.h9Zk.svg)](https://pacekeeper.example.com/alert-configs/31)"
         *     }
         */
        AlertConfigBadge: {
            /**
             * Format: uri
             * @description Address of the picture (SVG).
             */
            url: string;
            /** @description The picture as Markdown, with a link to the alert configuration. */
            markdown: string;
        };
        /**
         * @description What a member may do. `viewer` reads. `member` also writes what the pipeline needs. `admin` also settings, keys, members and the audit log. `owner` also owners.
         * @example viewer
         * @enum {string}
         */
        MemberRole: "viewer" | "member" | "admin" | "owner";
        /**
         * @description A member of the organization, for a list to choose from.
         * @example {
         *       "id": 3,
         *       "name": "Dana",
         *       "email": "dana@shop.example",
         *       "role": "member"
         *     }
         */
        OrgMemberDropdownItem: {
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Its name. */
            name: string;
            /** @description E-mail address. */
            email: string;
            role: components["schemas"]["MemberRole"];
        };
        /**
         * @description A scrape job, for a list to choose from.
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
             * @description Its id.
             */
            id: number;
            /** @description Its name. */
            name: string;
            parser_type: components["schemas"]["ParserType"];
            /** @description The version found last; null before the first. */
            latest_version: string | null;
        };
        /**
         * @description A gather job, for a list to choose from.
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
             * @description Its id.
             */
            id: number;
            /** @description Its name. */
            name: string;
            /** @description What it gathers the releases of. */
            artifact_name: string;
            source_type: components["schemas"]["ReleaseSourceType"];
            scope: components["schemas"]["Scope"];
            /** @description The highest release; null before the first. */
            latest_version: string | null;
        };
        /**
         * @description A monitoring rule, for a list to choose from.
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
             * @description Its id.
             */
            id: number;
            /** @description Its name. */
            name: string;
            rule_type: components["schemas"]["MonitoringRuleType"];
            /** @description Whether it is evaluated. */
            is_active: boolean;
        };
        /**
         * @description A notification channel, for a list to choose from.
         * @example {
         *       "id": 2,
         *       "name": "Operations",
         *       "is_active": true,
         *       "is_default": true
         *     }
         */
        NotificationChannelDropdownItem: {
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Its name. */
            name: string;
            /** @description Whether it is used. */
            is_active: boolean;
            /** @description Whether it is the default channel. */
            is_default: boolean;
        };
        /**
         * @description All settings, each with the override of the organization if there is one, else with the global value.
         * @example {
         *       "items": [
         *         {
         *           "key": "delivery.timeout_seconds",
         *           "value": 20,
         *           "default_value": 15,
         *           "scope": "organization",
         *           "value_schema": {
         *             "type": "integer",
         *             "minimum": 1,
         *             "maximum": 30
         *           },
         *           "description": "Seconds that a webhook may take in all."
         *         }
         *       ]
         *     }
         */
        ListEffectiveSettingsResponse: {
            /** @description The settings, each with the override of the organization if there is one, else with the global value. */
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
            /** @description The value; it must be valid by the `value_schema` of the setting. Null is a value where the schema allows it. */
            value: unknown;
        };
        /**
         * @description A template in Liquid, at most 32 KiB. Unknown variables and filters are refused.
         * @example {"text": {{ alert.config_name | json }}}
         */
        TemplateBody: string;
        /**
         * @description Templates of a channel by category. A category without one uses the template of the channel, its preset, the template of the organization or the global one, in this order.
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
         * @description The platform that a body is made for.
         * @example generic
         * @enum {string}
         */
        NotificationPreset: "generic" | "slack" | "discord" | "teams" | "pagerduty" | "telegram" | "mattermost" | "gotify" | "ntfy";
        /**
         * @description `unknown`: nothing was sent yet. `healthy`: the last attempt succeeded. `degraded`: the last attempts failed. `failing`: ten or more failed in a row.
         * @example unknown
         * @enum {string}
         */
        ChannelHealthStatus: "unknown" | "healthy" | "degraded" | "failing";
        /**
         * @description How deliveries to a channel went lately.
         * @example {
         *       "status": "healthy",
         *       "consecutive_failures": 0,
         *       "last_success_at": "2026-03-15T09:30:00.000Z",
         *       "last_failure_at": null
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
        };
        /**
         * @description A webhook that alerts are sent to. Preset options, values of headers and the signing secret are never returned.
         * @example {
         *       "id": 2,
         *       "name": "Operations",
         *       "channel_type": "webhook",
         *       "url": "https://hooks.chat.example/services/T0/B0/x",
         *       "template": null,
         *       "templates": {},
         *       "preset": "slack",
         *       "headers": {
         *         "X-Team": null
         *       },
         *       "has_preset_options": false,
         *       "has_signing_secret": true,
         *       "digest_minutes": null,
         *       "require_login_to_acknowledge": true,
         *       "is_active": true,
         *       "is_default": true,
         *       "health": {
         *         "status": "healthy",
         *         "consecutive_failures": 0,
         *         "last_success_at": "2026-03-15T09:30:00.000Z",
         *         "last_failure_at": null
         *       },
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 3
         *     }
         */
        NotificationChannel: {
            /**
             * Format: int64
             * @description Id of the channel.
             */
            id: number;
            /** @description Name of the channel. */
            name: string;
            /**
             * @description The kind of channel.
             * @constant
             */
            channel_type: "webhook";
            /** @description Address that events are posted to; for those who may not change channels only `scheme://host/…`. */
            url: string;
            /** @description Template for the categories that have none of their own. */
            template: string | null;
            templates: components["schemas"]["ChannelTemplates"];
            preset: components["schemas"]["NotificationPreset"];
            /** @description Names of the headers that are sent; their values are never returned, null stands for each. */
            headers: {
                [key: string]: null;
            };
            /** @description Whether options of the preset are stored. */
            has_preset_options: boolean;
            /** @description Whether requests are signed. */
            has_signing_secret: boolean;
            /** @description Gathers the events of this many minutes into one message. Null: each at once. */
            digest_minutes: number | null;
            /** @description Whether the acknowledge link in messages asks for a login. */
            require_login_to_acknowledge: boolean;
            /** @description Whether the channel is used. */
            is_active: boolean;
            /** @description Whether it is the default channel of the organization. */
            is_default: boolean;
            health: components["schemas"]["ChannelHealth"];
            /**
             * Format: date-time
             * @description When the channel was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the channel was last changed.
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
         *           "template": null,
         *           "templates": {},
         *           "preset": "slack",
         *           "headers": {
         *             "X-Team": null
         *           },
         *           "has_preset_options": false,
         *           "has_signing_secret": true,
         *           "digest_minutes": null,
         *           "require_login_to_acknowledge": true,
         *           "is_active": true,
         *           "is_default": true,
         *           "health": {
         *             "status": "healthy",
         *             "consecutive_failures": 0,
         *             "last_success_at": "2026-03-15T09:30:00.000Z",
         *             "last_failure_at": null
         *           },
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
        ListNotificationChannelsResponse: {
            /** @description The notification channels of this page. */
            items: components["schemas"]["NotificationChannel"][];
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
         * @description What the platform of a preset needs besides the address, at most 20 entries: PagerDuty `routing_key`, Telegram `chat_id`, ntfy `topic`.
         * @example {
         *       "chat_id": "-1001234567"
         *     }
         */
        PresetOptions: {
            [key: string]: string;
        };
        /**
         * @description A new notification channel.
         * @example {
         *       "name": "Operations",
         *       "url": "https://hooks.chat.example/services/T0/B0/x",
         *       "preset": "slack"
         *     }
         */
        CreateNotificationChannelRequest: {
            name: components["schemas"]["Name"];
            /** @description Address that events are posted to, `https` (`http` where the operator allows it). */
            url: string;
            /**
             * @description Template for the categories that have none of their own. Null: none.
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
             * @description Headers to send with every request, at most 20. Names are RFC 9110 tokens, values visible ASCII of at most 4 KiB. Framing headers, `Host`, `Content-*`, `Cookie`, `Proxy-*` and `Webhook-*` are refused.
             * @default {}
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description Secret that signs every request, `whsec_` and base64 as in Standard Webhooks. Null: unsigned. After a change the old one signs too for 24 hours.
             * @default null
             */
            signing_secret?: string | null;
            /**
             * @description Gathers the events of this many minutes into one message. Null: each at once.
             * @default null
             */
            digest_minutes?: number | null;
            /**
             * @description Whether the acknowledge link in messages asks for a login.
             * @default true
             */
            require_login_to_acknowledge?: boolean;
            /**
             * @description Whether the channel is used.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description What to change in a notification channel; omitted members keep their value, `templates`, `preset_options` and `headers` are replaced as a whole. Stored secrets never follow a channel to another target: a request that changes the origin of `url` (scheme, host, port) or the `preset` must name each of them, with a new value or removed (a header left out of `headers`, `preset_options` `{}`, `signing_secret` null).
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
            /** @description Address that events are posted to, `https` (`http` where the operator allows it). */
            url?: string;
            /** @description Template for the categories that have none of their own. Null: none. */
            template?: components["schemas"]["TemplateBody"] | null;
            templates?: components["schemas"]["ChannelTemplates"];
            preset?: components["schemas"]["NotificationPreset"];
            preset_options?: components["schemas"]["PresetOptions"];
            /** @description Headers to send with every request, at most 20. Names are RFC 9110 tokens, values visible ASCII of at most 4 KiB. Framing headers, `Host`, `Content-*`, `Cookie`, `Proxy-*` and `Webhook-*` are refused. Replaced as a whole; a name with null keeps the value that it has. */
            headers?: {
                [key: string]: string | null;
            };
            /** @description Secret that signs every request, `whsec_` and base64 as in Standard Webhooks. Null: unsigned. After a change the old one signs too for 24 hours. */
            signing_secret?: string | null;
            /** @description Gathers the events of this many minutes into one message. Null: each at once. */
            digest_minutes?: number | null;
            /** @description Whether the acknowledge link in messages asks for a login. */
            require_login_to_acknowledge?: boolean;
            /** @description Whether the channel is used. */
            is_active?: boolean;
        };
        /**
         * @description What the target answered to a test notification.
         * @example {
         *       "success": true,
         *       "status_code": 200,
         *       "duration_ms": 87,
         *       "response_body": "ok",
         *       "error": null,
         *       "request_body": "{\"text\":\"This is a test.\"}"
         *     }
         */
        NotificationChannelTestResult: {
            /** @description Whether the target answered with 2xx. */
            success: boolean;
            /** @description Status of the answer; null when there was none. */
            status_code: number | null;
            /** @description How long it took, in milliseconds. */
            duration_ms: number;
            /** @description The first 4 KiB of the answer, with the secrets of the channel masked; null when there was none, and for callers below admin. */
            response_body: string | null;
            /** @description What went wrong; null when it succeeded. */
            error: components["schemas"]["DeliveryError"] | null;
            /** @description The body that was sent, with preset options masked; null for callers below admin. */
            request_body: string | null;
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
            /** @description How many are pending. */
            pending: number;
            /** @description How many are in_progress. */
            in_progress: number;
            /** @description How many are succeeded. */
            succeeded: number;
            /** @description How many are failed. */
            failed: number;
            /** @description How many are dead_letter. */
            dead_letter: number;
            /** @description How many are canceled. */
            canceled: number;
        };
        /**
         * @description Milliseconds within which half and 95 % of the requests were answered.
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
         * @description How deliveries to a channel went in a window of days up to now.
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
            /** @description Deliveries made within the window. */
            total: number;
            by_status: components["schemas"]["DeliveryStatusCounts"];
            /** @description Share of the deliveries with an outcome that succeeded, 0 to 1; canceled ones have none. Null when there are none. */
            success_rate: number | null;
            /** @description Milliseconds that successful attempts took; null when there were none. */
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
         * @description Text to check as a template, at most 32 KiB.
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
         * @description A webhook configuration to look at; nothing is created, resolved or sent.
         * @example {
         *       "url": "https://hooks.chat.example/services/T0/B0/x",
         *       "template": "{\"text\": {{ alert.config_name | json }}}",
         *       "category": "new_alert"
         *     }
         */
        ValidateWebhookConfigRequest: {
            /** @description Address to check. */
            url: string;
            /** @description Template to check. */
            template?: components["schemas"]["TemplateText"] | null;
            /** @description The category whose sample data render it. Without it: `new_alert`. */
            category?: components["schemas"]["NotificationTemplateCategory"];
            /** @description Rendered when no template is given. */
            preset?: components["schemas"]["NotificationPreset"];
        };
        /**
         * @description What is wrong with a webhook configuration, and where.
         * @example {
         *       "field": "url",
         *       "code": "target_not_allowed",
         *       "message": "The address is a private one.",
         *       "line": null,
         *       "column": null
         *     }
         */
        WebhookConfigIssue: {
            /**
             * @description The member that it is about.
             * @enum {string}
             */
            field: "url" | "template";
            /** @description Stable code of the kind of mistake. */
            code: string;
            /** @description The same in a sentence. */
            message: string;
            /** @description Line in the template, from 1; null when it has no place. */
            line: number | null;
            /** @description Column in that line, from 1. */
            column: number | null;
        };
        /**
         * @description What was found wrong with a webhook configuration.
         * @example {
         *       "valid": false,
         *       "errors": [
         *         {
         *           "field": "url",
         *           "code": "target_not_allowed",
         *           "message": "The address is a private one.",
         *           "line": null,
         *           "column": null
         *         }
         *       ],
         *       "warnings": [],
         *       "rendered": "{\"text\": \"Traefik in production\"}"
         *     }
         */
        WebhookConfigValidationResult: {
            /** @description Whether there is no error. */
            valid: boolean;
            /** @description What keeps it from working. */
            errors: components["schemas"]["WebhookConfigIssue"][];
            /** @description What may surprise. */
            warnings: components["schemas"]["WebhookConfigIssue"][];
            /** @description The template rendered with sample data; null when it cannot be rendered. */
            rendered: string | null;
        };
        /**
         * @description An event of an alert, which notification rules choose by.
         * @example alert.created
         * @enum {string}
         */
        AlertEventType: "alert.created" | "alert.escalated" | "alert.acknowledged" | "alert.unacknowledged" | "alert.resolved" | "alert.reminder";
        /**
         * @description A variable that templates of a category may use.
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
             * @description What kind of value it is.
             * @enum {string}
             */
            type: "string" | "integer" | "boolean" | "timestamp" | "map" | "list";
            /** @description What it says. */
            description: string;
            /** @description A value that it may have. */
            example: unknown;
        };
        /**
         * @description The template that holds for a category, where it comes from and what it may use.
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
             * @description Where the body comes from.
             * @enum {string}
             */
            source: "global_default" | "organization_override";
            /** @description The body that holds. */
            body: string;
            /** @description The global default, read-only. */
            default_body: string;
            /** @description The events of the category. */
            events: components["schemas"]["AlertEventType"][];
            /** @description The variables that it may use. */
            fields: components["schemas"]["NotificationTemplateField"][];
            /**
             * Format: date-time
             * @description When the override was last changed; null without one.
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
         *           "updated_at": null
         *         }
         *       ]
         *     }
         */
        ListNotificationTemplatesResponse: {
            /** @description The templates, one for each category. */
            items: components["schemas"]["NotificationTemplateInfo"][];
        };
        /**
         * @description The template of the organization for a category. One that does not parse is refused with line and column.
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
            /** @description The template; without it the one that holds for the category. */
            body?: components["schemas"]["TemplateText"];
            /** @description Renders this preset instead, when no `body` is given. */
            preset?: components["schemas"]["NotificationPreset"];
            /** @description Values to use instead of the sample data, by the names of the variables. */
            sample?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description What is wrong with a template, and where.
         * @example {
         *       "code": "unknown_variable",
         *       "message": "There is no variable alert.colour.",
         *       "line": 3,
         *       "column": 12
         *     }
         */
        TemplateIssue: {
            /** @description Stable code of the kind of mistake. */
            code: string;
            /** @description The same in a sentence. */
            message: string;
            /** @description Line in the template, from 1; null when it has no place. */
            line: number | null;
            /** @description Column in that line, from 1. */
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
            /** @description The text; null when it cannot be rendered. */
            rendered: string | null;
            /** @description Whether the text is JSON. */
            is_valid_json: boolean;
            /** @description What is wrong with the template. */
            errors: components["schemas"]["TemplateIssue"][];
        };
        /**
         * @description A condition on one label of an alert; an absent label counts as empty text. `=` and `!=` compare the whole text, `=~` and `!~` match an RE2 pattern against the whole of it.
         * @example {
         *       "label": "team",
         *       "operator": "=~",
         *       "value": "platform|payments"
         *     }
         */
        LabelMatcher: {
            /** @description Key of the label. */
            label: string;
            /**
             * @description How to compare.
             * @enum {string}
             */
            operator: "=" | "!=" | "=~" | "!~";
            /** @description Text or pattern. */
            value: string;
        };
        /**
         * @description Chooses the channels that hear of an alert. All its criteria have to match.
         * @example {
         *       "id": 5,
         *       "name": "Critical ones to operations",
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
             * @description Id of the rule.
             */
            id: number;
            /** @description Name of the rule. */
            name: string;
            /** @description Free text; empty when none was given. */
            description: string;
            /** @description Rules are asked in ascending order of it, then of their id. */
            priority: number;
            /** @description Severities that it is for; empty: all. */
            severities: components["schemas"]["AlertSeverity"][];
            /** @description Events that it is for; empty: all. */
            event_types: components["schemas"]["AlertEventType"][];
            /** @description Conditions on labels; all must hold. */
            label_matchers: components["schemas"]["LabelMatcher"][];
            /** @description Monitoring rules that it is for; empty: all. Deleted ones leave the list. */
            rule_ids: number[];
            /** @description Alert configurations that it is for; empty: all. Deleted ones leave the list. */
            alert_config_ids: number[];
            /** @description Channels to notify. Null: the default channel. Empty when all its channels were deleted; it is then inactive. */
            channel_ids: number[] | null;
            /** @description Whether rules after this one are not asked when it matches. */
            stop_processing: boolean;
            /** @description Whether the rule is asked. */
            is_active: boolean;
            /**
             * @description Why the service turned it off; null when it did not. `criteria_deleted`: the monitoring rules or alert configurations that it named are all deleted, and without them it would hear of others. It can be turned on when it was given its `rule_ids` or `alert_config_ids` anew.
             * @enum {string|null}
             */
            inactive_reason: "channel_deleted" | "criteria_deleted" | null;
            /** @description How many events it has matched. */
            match_count: number;
            /**
             * Format: date-time
             * @description When it last matched.
             */
            last_matched_at: string | null;
            /**
             * Format: date-time
             * @description When the rule was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the rule was last changed.
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
         *           "name": "Critical ones to operations",
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
         *           "stop_processing": false,
         *           "is_active": true,
         *           "inactive_reason": null,
         *           "match_count": 14,
         *           "last_matched_at": "2026-03-15T09:30:00.000Z",
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
        ListNotificationRulesResponse: {
            /** @description The notification rules of this page. */
            items: components["schemas"]["NotificationRule"][];
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
         * @description A new notification rule.
         * @example {
         *       "name": "Critical ones to operations",
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
             * @description Rules are asked in ascending order of it, then of their id.
             * @default 100
             */
            priority?: number;
            /**
             * @description Severities that it is for; empty: all.
             * @default []
             */
            severities?: components["schemas"]["AlertSeverity"][];
            /**
             * @description Events that it is for; empty: all.
             * @default []
             */
            event_types?: components["schemas"]["AlertEventType"][];
            /**
             * @description Conditions on labels; all must hold.
             * @default []
             */
            label_matchers?: components["schemas"]["LabelMatcher"][];
            /**
             * @description Monitoring rules that it is for; empty: all.
             * @default []
             */
            rule_ids?: number[];
            /**
             * @description Alert configurations that it is for; empty: all.
             * @default []
             */
            alert_config_ids?: number[];
            /**
             * @description Channels to notify. Null: the default channel.
             * @default null
             */
            channel_ids?: number[] | null;
            /**
             * @description Whether rules after this one are not asked when it matches.
             * @default false
             */
            stop_processing?: boolean;
            /**
             * @description Whether the rule is asked.
             * @default true
             */
            is_active?: boolean;
        };
        /**
         * @description What to change in a notification rule; omitted members keep their value, lists are replaced as a whole.
         * @example {
         *       "priority": 20
         *     }
         * @example {
         *       "channel_ids": null
         *     }
         */
        UpdateNotificationRuleRequest: {
            name?: components["schemas"]["Name"];
            /** @description Free text for people. Null: empty. */
            description?: components["schemas"]["Description"] | null;
            /** @description Rules are asked in ascending order of it, then of their id. */
            priority?: number;
            /** @description Severities that it is for; empty: all. */
            severities?: components["schemas"]["AlertSeverity"][];
            /** @description Events that it is for; empty: all. */
            event_types?: components["schemas"]["AlertEventType"][];
            /** @description Conditions on labels; all must hold. */
            label_matchers?: components["schemas"]["LabelMatcher"][];
            /** @description Monitoring rules that it is for; empty: all. */
            rule_ids?: number[];
            /** @description Alert configurations that it is for; empty: all. */
            alert_config_ids?: number[];
            /** @description Channels to notify, at least one. Null: the default channel. Empty only where it already is, because all channels were deleted. */
            channel_ids?: number[] | null;
            /** @description Whether rules after this one are not asked when it matches. */
            stop_processing?: boolean;
            /** @description Whether the rule is asked. */
            is_active?: boolean;
        };
        /**
         * @description How often a rule matched, and what became of the deliveries.
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
            /** @description How many events it has matched. */
            match_count: number;
            /** @description Those of the last 24 hours. */
            matches_24h: number;
            /** @description Those of the last seven days. */
            matches_7d: number;
            /**
             * Format: date-time
             * @description When it last matched.
             */
            last_matched_at: string | null;
            /** @description Deliveries of the events that it matched in the last seven days. */
            deliveries: {
                by_status: components["schemas"]["DeliveryStatusCounts"];
            };
        };
        /**
         * @description An alert event to try a rule on. Without an alert configuration its monitoring rule is unknown and nothing is snoozed.
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
            /** @description Labels of the alert, instead of those of the configuration. */
            labels?: components["schemas"]["Labels"];
        };
        /**
         * @description A criterion of a rule that an alert does not meet.
         * @example {
         *       "criterion": "severities",
         *       "expected": "critical",
         *       "actual": "moderate"
         *     }
         */
        NotificationRuleMismatch: {
            /**
             * @description The member of the rule.
             * @enum {string}
             */
            criterion: "is_active" | "severities" | "event_types" | "rule_ids" | "alert_config_ids" | "label_matchers";
            /** @description What the rule asks. */
            expected: string;
            /** @description What the alert has. */
            actual: string;
        };
        /**
         * @description A channel of the rule, and whether it would be notified.
         * @example {
         *       "id": 2,
         *       "name": "Operations",
         *       "would_notify": true,
         *       "reason": null,
         *       "waits_for_digest": false
         *     }
         */
        SimulatedChannel: {
            /**
             * Format: int64
             * @description Id of the channel.
             */
            id: number;
            /** @description Name of the channel. */
            name: string;
            /** @description Whether it would be notified. */
            would_notify: boolean;
            /**
             * @description Why it would not be notified; null when it would.
             * @enum {string|null}
             */
            reason: "not_matched" | "stopped_by_earlier_rule" | "snoozed" | "channel_inactive" | null;
            /** @description Whether the event would be sent with the next digest of the channel. */
            waits_for_digest: boolean;
        };
        /**
         * @description A channel that an event is routed to.
         * @example {
         *       "id": 2,
         *       "name": "Operations",
         *       "would_notify": true,
         *       "reason": null,
         *       "waits_for_digest": false,
         *       "notification_rule_ids": [
         *         7
         *       ]
         *     }
         */
        RoutedChannel: {
            /**
             * Format: int64
             * @description Id of the channel.
             */
            id: number;
            /** @description Name of the channel. */
            name: string;
            /** @description Whether it would be notified. */
            would_notify: boolean;
            /**
             * @description Why it would not be notified; null when it would.
             * @enum {string|null}
             */
            reason: "not_matched" | "stopped_by_earlier_rule" | "snoozed" | "channel_inactive" | null;
            /** @description Whether the event would be sent with the next digest of the channel. */
            waits_for_digest: boolean;
            /** @description The notification rules that chose it; empty for the default channel when no rule matches. */
            notification_rule_ids: number[];
        };
        /**
         * @description What all notification rules and the default channel together would make of the event.
         * @example {
         *       "channels": [
         *         {
         *           "id": 2,
         *           "name": "Operations",
         *           "would_notify": true,
         *           "reason": null,
         *           "waits_for_digest": false,
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
             * @description Why no notification would be sent; null when at least one channel would be notified. `no_channel`: no rule matches, and no default channel is set. `fallback_off`: no rule matches, and such alerts aren't sent to the default channel. `no_default_channel`: a rule that matches sends to the default channel, and none is set. `channels_deleted`: the rules that match name only deleted channels. `all_channels_inactive`: every channel in `channels` is inactive. `snoozed`: the open alert of the alert configuration is snoozed.
             * @enum {string|null}
             */
            skipped_reason: "no_channel" | "fallback_off" | "no_default_channel" | "channels_deleted" | "all_channels_inactive" | "snoozed" | null;
        };
        /**
         * @description What would happen to an alert event at this notification rule, among all other rules, settings, and channels of the organization. Nothing is written or sent.
         * @example {
         *       "matched": true,
         *       "mismatches": [],
         *       "channels": [
         *         {
         *           "id": 2,
         *           "name": "Operations",
         *           "would_notify": true,
         *           "reason": null,
         *           "waits_for_digest": false
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
         *             "waits_for_digest": false,
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
            /** @description The channels of the rule, or the default channel. */
            channels: components["schemas"]["SimulatedChannel"][];
            /**
             * @description Why the rule would notify no channel; null when it would notify at least one. `stopped_by_earlier_rule`: the rule in `stopped_by` matches first and has `stop_processing`. `snoozed`: the open alert of the alert configuration is snoozed. `no_default_channel`: the rule sends to the default channel, and none is set. `channels_deleted`: the channels of the rule were deleted. `channel_inactive`: all its channels are inactive.
             * @enum {string|null}
             */
            reason: "not_matched" | "stopped_by_earlier_rule" | "snoozed" | "no_default_channel" | "channels_deleted" | "channel_inactive" | null;
            /** @description The earlier rule that matches and ends the evaluation; null when this rule is evaluated. */
            stopped_by: components["schemas"]["NamedReference"] | null;
            event: components["schemas"]["SimulatedEvent"];
        };
        /**
         * @description Where notifications go when no rule says it, and when they are repeated.
         * @example {
         *       "default_channel_id": 2,
         *       "fallback_to_default": true,
         *       "reminder_interval_hours": null,
         *       "revision": 0
         *     }
         */
        NotificationSettings: {
            /**
             * Format: int64
             * @description The channel for events that no rule routes, and for rules without channels. Null: none.
             */
            default_channel_id: number | null;
            /** @description Whether an event that no rule matches goes to the default channel. */
            fallback_to_default: boolean;
            /** @description Hours after which an unacknowledged alert is told of again. Null: never. */
            reminder_interval_hours: number | null;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description What to change in the notification settings; omitted members keep their value.
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
             * @description The channel for events that no rule routes, and for rules without channels. Null: none.
             */
            default_channel_id?: number | null;
            /** @description Whether an event that no rule matches goes to the default channel. */
            fallback_to_default?: boolean;
            /** @description Hours after which an unacknowledged alert is told of again. Null: never. */
            reminder_interval_hours?: number | null;
        };
        /**
         * @description One request to the target of a channel.
         * @example {
         *       "number": 1,
         *       "started_at": "2026-03-15T08:00:00.000Z",
         *       "duration_ms": 102,
         *       "response_status": 503,
         *       "response_body": "busy",
         *       "error": {
         *         "code": "http_status",
         *         "message": "The target answered 503."
         *       }
         *     }
         */
        DeliveryAttempt: {
            /** @description Its number within the delivery, from 1. */
            number: number;
            /**
             * Format: date-time
             * @description When it began.
             */
            started_at: string;
            /** @description How long it took, in milliseconds. */
            duration_ms: number;
            /** @description Status of the answer; null when there was none. */
            response_status: number | null;
            /** @description The first 4 KiB of the answer, with the secrets of the channel masked; null when there was none, and below the role `admin`. */
            response_body: string | null;
            /** @description What went wrong; null when it succeeded. */
            error: components["schemas"]["DeliveryError"] | null;
        };
        /**
         * @description One event on its way to one channel, with what was sent and every attempt.
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
         *             "message": "The target answered 503."
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
             * @description Id of the delivery.
             */
            id: number;
            /**
             * Format: int64
             * @description The channel; null once it was deleted.
             */
            channel_id: number | null;
            /** @description Name of the channel. */
            channel_name: string;
            /**
             * Format: int64
             * @description The alert; null when it was deleted, and for events that concern none.
             */
            alert_id: number | null;
            /**
             * Format: uuid
             * @description Id of the event, the same for every channel that hears of it.
             */
            event_id: string;
            event_type: components["schemas"]["NotificationEventType"];
            status: components["schemas"]["NotificationDeliveryStatus"];
            /** @description Attempts made so far. */
            attempt_count: number;
            /** @description Attempts after which it is given up. */
            max_attempts: number;
            /**
             * Format: date-time
             * @description When it is tried next; null when it is not.
             */
            next_attempt_at: string | null;
            /** @description Why it has no next attempt; null when it doesn't wait. */
            waiting_for: components["schemas"]["DeliveryWait"] | null;
            /**
             * Format: date-time
             * @description When it was last tried.
             */
            last_attempt_at: string | null;
            /** @description Status of the last answer. */
            response_status: number | null;
            /** @description Milliseconds that the last attempt took. */
            duration_ms: number | null;
            /** @description What went wrong last. */
            error: components["schemas"]["DeliveryError"] | null;
            /** @description Why it was canceled or given up, or `template_failed` when the default body was sent instead. */
            reason: components["schemas"]["DeliveryErrorCode"] | null;
            /**
             * Format: date-time
             * @description When it became final: succeeded, given up or canceled.
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the delivery was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the delivery was last changed.
             */
            updated_at: string;
            /** @description The body that is sent. What was a secret of the channel when the body was written is masked, and so are acknowledge links. Null before the first attempt, below the role `admin`, and for bodies of an earlier version. */
            payload: string | null;
            /** @description Its attempts, in order. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        /**
         * @description Which deliveries to try again; all that is given must hold. At most 1,000 are taken, oldest first. Those of inactive channels wait until the channel is enabled; those of deleted channels are left.
         * @example {
         *       "channel_id": 2,
         *       "since": "2026-03-15T08:00:00.000Z"
         *     }
         */
        RetryNotificationDeliveriesRequest: {
            /**
             * @description The status that they have.
             * @default dead_letter
             * @enum {string}
             */
            status?: "dead_letter" | "canceled";
            /**
             * Format: int64
             * @description Those to this channel.
             */
            channel_id?: number;
            /** @description Those of this event. */
            event_type?: components["schemas"]["NotificationEventType"];
            /**
             * Format: date-time
             * @description Those made at this time or later.
             */
            since?: string;
        };
        /**
         * @description How many deliveries wait again.
         * @example {
         *       "retried": 37,
         *       "remaining": 0
         *     }
         */
        RetryNotificationDeliveriesResponse: {
            /** @description How many were reset to pending. */
            retried: number;
            /** @description How many more match; 10000 stands for as many or more. */
            remaining: number;
        };
        /**
         * @description Something that the operators of the service should know.
         * @example {
         *       "message": "Please show the labels in the list of alerts.",
         *       "category": "idea",
         *       "page": "/alerts"
         *     }
         */
        CreateFeedbackRequest: {
            /** @description The text, 1 to 5,000 characters after trimming. */
            message: string;
            /**
             * @description What kind of feedback it is.
             * @enum {string}
             */
            category?: "bug" | "idea" | "other";
            /** @description The page that it is about. */
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
             * @description Its id.
             */
            id: number;
            /**
             * Format: date-time
             * @description When it was received.
             */
            created_at: string;
        };
        /**
         * @description Whether a key opens anything. `inactive` ones can be turned on again, `deactivated` and `expired` ones cannot.
         * @example active
         * @enum {string}
         */
        APIKeyStatus: "active" | "inactive" | "deactivated" | "expired";
        /**
         * @description What a key may do. `viewer`, `member`, `admin` and `owner` as for members. `agent`: only the agent interface. `reporter`: only set versions and read scrape jobs.
         * @example viewer
         * @enum {string}
         */
        APIKeyRole: "viewer" | "member" | "admin" | "owner" | "agent" | "reporter";
        /**
         * @description A key to the interface, without its secret.
         * @example {
         *       "id": 12,
         *       "name": "Deploy pipeline",
         *       "description": "Reports what was deployed.",
         *       "role": "reporter",
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
             * @description Id of the key.
             */
            id: number;
            /** @description Name of the key. */
            name: string;
            /** @description Free text; empty when none was given. */
            description: string;
            role: components["schemas"]["APIKeyRole"];
            /** @description The beginning of the key, to recognize it. */
            key_prefix: string;
            status: components["schemas"]["APIKeyStatus"];
            /** @description Whether it is turned on; false for good once it is deactivated. */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When it ends; null: never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was deactivated for good.
             */
            deactivated_at: string | null;
            /**
             * Format: date-time
             * @description When it was last used, to the minute or so.
             */
            last_used_at: string | null;
            /** @description Who made it. */
            created_by: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When the key was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the key was last changed.
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
         *           "description": "Reports what was deployed.",
         *           "role": "reporter",
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
         *           "updated_at": "2026-03-15T08:00:00.000Z"
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
            /** @description At most the role of who makes it. Without it: the role of who makes it, up to `admin`. */
            role?: components["schemas"]["APIKeyRole"];
            /**
             * Format: date-time
             * @description When it ends, a time to come. Null: never.
             * @default null
             */
            expires_at?: string | null;
        };
        /**
         * @description A new key with its secret, which is shown here and never again.
         * @example {
         *       "api_key": {
         *         "id": 12,
         *         "name": "Deploy pipeline",
         *         "description": "Reports what was deployed.",
         *         "role": "reporter",
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
         *         "updated_at": "2026-03-15T08:00:00.000Z"
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
         * @description What to change in a key; omitted members keep their value. The role cannot be changed.
         * @example {
         *       "name": "Deploy pipeline, production"
         *     }
         */
        UpdateAPIKeyRequest: {
            name?: components["schemas"]["Name"];
            /** @description Free text for people. Null: empty. */
            description?: components["schemas"]["Description"] | null;
        };
        /**
         * @description A person who belongs to the organization.
         * @example {
         *       "id": 3,
         *       "user_id": 3,
         *       "name": "Dana",
         *       "email": "dana@shop.example",
         *       "role": "member",
         *       "created_at": "2026-03-15T08:00:00.000Z",
         *       "updated_at": "2026-03-15T08:00:00.000Z",
         *       "revision": 3
         *     }
         */
        Member: {
            /**
             * Format: int64
             * @description Id of the membership.
             */
            id: number;
            /**
             * Format: int64
             * @description Id of the person.
             */
            user_id: number;
            /** @description Name of the person. */
            name: string;
            /** @description E-mail address. */
            email: string;
            role: components["schemas"]["MemberRole"];
            /**
             * Format: date-time
             * @description When the membership was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the membership was last changed.
             */
            updated_at: string;
            revision: components["schemas"]["Revision"];
        };
        /**
         * @description An invitation to the organization that waits to be accepted.
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
             * @description Id of the invitation.
             */
            id: number;
            /** @description The address that was invited. */
            email: string;
            role: components["schemas"]["MemberRole"];
            /**
             * Format: date-time
             * @description When it ends, seven days after it was made.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When the invitation was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the invitation was last changed.
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
         *           "created_at": "2026-03-15T08:00:00.000Z",
         *           "updated_at": "2026-03-15T08:00:00.000Z"
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
            /** @description How many match in all; above 10,000 it stays at 10,000. */
            total: number;
            /** @description False when more than 10,000 match. */
            total_is_exact: boolean;
            /** @description The limit that was used. */
            limit: number;
            /** @description The offset that was used. */
            offset: number;
            /** @description The newest open invitations, whatever the page. */
            invitations: components["schemas"]["Invitation"][];
        };
        /**
         * @description Whom to invite, and as what. A new invitation to an address replaces an open one.
         * @example {
         *       "email": "lee@shop.example",
         *       "role": "viewer"
         *     }
         */
        InviteMemberRequest: {
            /**
             * Format: email
             * @description Email address; upper and lower case are the same.
             */
            email: string;
            /** @description At most the role of who invites. */
            role: components["schemas"]["MemberRole"];
        };
        /**
         * @description An invitation and its link, which is shown here and never again. It is the same whether or not the address is known.
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
            /** @description Link to hand to the invited person; it works once. */
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
         * @description What a member created that ends when the member is removed or gets another role.
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
            /** @description The API keys that stop working, by name; the first 20. */
            api_keys: components["schemas"]["NamedReference"][];
            /** @description Number of API keys that stop working. */
            api_keys_total: number;
            /** @description Number of open invitations that stop working. */
            invitations_total: number;
        };
        /**
         * @description A link with which a member sets a new password, shown here and never again.
         * @example {
         *       "reset_url": "https://pacekeeper.example/reset-password#token=…",
         *       "expires_at": "2026-03-16T08:00:00.000Z"
         *     }
         */
        ResetLinkResponse: {
            /** @description Link to hand to the member; it works once. */
            reset_url: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
        };
        /**
         * @description What an entry of the audit log is about.
         * @example api_key
         * @enum {string}
         */
        AuditLogResource: "api_key" | "member" | "invitation" | "setting" | "notification_template" | "notification_settings" | "rule" | "alert_config" | "gather_job" | "scrape_job" | "helm_sync_job" | "notification_channel" | "notification_rule" | "organization";
        /**
         * @description One field that an edit changed. Values longer than 200 characters (lists and objects, 500) are cut and end in `…`.
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
            /** @description Name of the field in the API. */
            field: string;
            /** @description Its value before; null when it had none or is secret. */
            from: unknown;
            /** @description Its value after; null when it has none or is secret. */
            to: unknown;
            /** @description Whether the value is secret. Then `from` and `to` show what may be shown of it, if anything. */
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
             * @description Id of the entry.
             */
            id: number;
            /** @description What happened: the resource and what was done to it. */
            action: string;
            resource: components["schemas"]["AuditLogResource"];
            /**
             * Format: int64
             * @description Its id; null for what has none.
             */
            resource_id: number | null;
            /** @description Its name or key at that time. */
            resource_name: string | null;
            /** @description Who did it. */
            actor: components["schemas"]["Actor"];
            /** @description More about it, without secrets; mostly the changed members. */
            detail: {
                [key: string]: unknown;
            } | null;
            /** @description The fields that were changed. Of a resource that was created or deleted, the fields that had a value. Empty for entries that are no edit. */
            changes: components["schemas"]["AuditLogChange"][];
            /** @description Id of the request that did it. */
            request_id: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as `created_at`.
             */
            updated_at: string;
        };
        /**
         * @description One page of entries of the audit log, newest first.
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
            /** @description The entries of the audit log of this page. */
            items: components["schemas"]["AuditLogEntry"][];
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
         * @description Counts of jobs of one kind, own and global ones.
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
            /** @description Those that are active. */
            active: number;
            /** @description Those that run now. */
            in_progress: number;
            /** @description Active ones whose last run failed. */
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
         *         "message": "traefik/values.yaml is not in the repository."
         *       },
         *       "failed_at": "2026-03-15T08:00:00.000Z"
         *     }
         */
        FailedJob: {
            kind: components["schemas"]["TaskKind"];
            /**
             * Format: int64
             * @description Id of the job.
             */
            id: number;
            /** @description Name of the job. */
            name: string;
            /** @description Why. */
            error: components["schemas"]["RunError"];
            /**
             * Format: date-time
             * @description When.
             */
            failed_at: string;
        };
        /**
         * @description What the first page shows: how everything stands, and what needs a person first.
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
         *           "crossed_at": "2026-02-28T10:12:00.000Z",
         *           "is_estimate": false,
         *           "artifact_name": "github.com/traefik/traefik",
         *           "repository_url": "https://git.example/platform/deploy.git",
         *           "target_file": "traefik/values.yaml",
         *           "release_url": "https://github.com/traefik/traefik/releases/tag/v3.3.4",
         *           "labels": {
         *             "team": "platform"
         *           },
         *           "acknowledged_at": "2026-03-15T09:30:00.000Z",
         *           "acknowledged_by": {
         *             "type": "user",
         *             "id": 3,
         *             "name": "Dana"
         *           },
         *           "escalated_at": null,
         *           "snoozed_until": null,
         *           "snoozed_until_version_changes": false,
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
         *         }
         *       },
         *       "failed_jobs": [
         *         {
         *           "kind": "scrape",
         *           "id": 4,
         *           "name": "Traefik, production",
         *           "error": {
         *             "code": "file_not_found",
         *             "message": "traefik/values.yaml is not in the repository."
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
             * @description The time that it counts to.
             */
            generated_at: string;
            alerts: components["schemas"]["AlertSummary"];
            /** @description Open alerts that no one acknowledged, worst first as in `sort=worst`; at most 10. */
            top_alerts: components["schemas"]["Alert"][];
            /** @description Alerts opened and resolved on each of the last 30 days, today included, oldest day first. Days are those of UTC. */
            alerts_by_day: {
                /**
                 * Format: date
                 * @description The day.
                 */
                date: string;
                /** @description Alerts made on that day. */
                opened: number;
                /** @description Alerts resolved on that day. */
                resolved: number;
            }[];
            /** @description Alert configurations by state. */
            alert_configs: {
                /** @description All of them. */
                total: number;
                /** @description Those in order whose deployed version is above every known release. */
                warnings: number;
                /** @description Counts by state. */
                by_state: {
                    /** @description How many are ok. */
                    ok: number;
                    /** @description How many are alerting. */
                    alerting: number;
                    /** @description How many are no_data. */
                    no_data: number;
                    /** @description How many are stale. */
                    stale: number;
                    /** @description How many are inactive. */
                    inactive: number;
                };
            };
            /** @description Jobs by kind. */
            jobs: {
                gather: components["schemas"]["JobCounts"];
                scrape: components["schemas"]["JobCounts"];
                helm_sync: components["schemas"]["JobCounts"];
            };
            /** @description Active jobs whose last run failed, newest first; at most 10. */
            failed_jobs: components["schemas"]["FailedJob"][];
            /** @description The organization's own active jobs that run next, soonest first; at most 5. */
            next_runs: {
                kind: components["schemas"]["TaskKind"];
                /**
                 * Format: int64
                 * @description Id of the job.
                 */
                id: number;
                /** @description Name of the job. */
                name: string;
                /**
                 * Format: date-time
                 * @description When it runs.
                 */
                next_run_at: string;
            }[];
            /** @description Deliveries made in the last 24 hours. */
            deliveries_24h: components["schemas"]["DeliveryStatusCounts"];
            /** @description Notification channels. */
            channels: {
                /** @description All channels. */
                total: number;
                /** @description Those that are active. */
                active: number;
                /** @description Active ones that are failing. */
                failing: number;
            };
            /** @description Agents by status. */
            agents: {
                /** @description Agents that are heard of. */
                online: number;
                /** @description Agents that are not. */
                offline: number;
            };
        };
        /**
         * @description What changed.
         * @example gather_job
         * @enum {string}
         */
        ChangeEventResource: "gather_job" | "scrape_job" | "helm_sync_job" | "release" | "version" | "agent" | "setting" | "rule" | "alert_config" | "alert" | "notification_channel" | "notification_template" | "notification_rule" | "notification_settings" | "notification_delivery" | "api_key" | "member";
        /**
         * @description The `data` of one server-sent event: something of the organization changed. It names what to read again and says nothing of its content.
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
             * @description Its id; null when several changed or it has none.
             */
            id: number | null;
            /**
             * @description What happened to it.
             * @enum {string}
             */
            change: "created" | "updated" | "deleted";
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
        /** @description The resource has another revision than `If-Match` names, because it was changed after the caller read it (`precondition_failed`). Nothing was changed; `ETag` is the current revision. */
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
                 *       "title": "It was changed after you read it.",
                 *       "detail": "It was changed after you read it. Read it again, and repeat your change with its new ETag in If-Match.",
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
         * @description Only items whose names contain this text; upper and lower case are the same.
         * @example nginx
         */
        Search: string;
        /**
         * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
         * @example 42
         */
        Id: number;
        /**
         * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
         * @example "3"
         */
        IfMatch: string;
        /**
         * @description Also delete the alert configurations that use it, with their alerts. Without it a job in use is not deleted (409 `in_use`).
         * @example true
         */
        Cascade: boolean;
        /**
         * @description Only what happened at this instant or later. RFC 3339 with any offset.
         * @example 2026-11-01T00:00:00.000Z
         */
        Since: string;
        /**
         * @description Only active ones, or only inactive ones.
         * @example true
         */
        IsActive: boolean;
        /**
         * @description Whether to leave acknowledged alerts out.
         * @example true
         */
        UnacknowledgedOnly: boolean;
        /**
         * @description Only those of this severity.
         * @example high
         */
        Severity: components["schemas"]["AlertSeverity"];
        /**
         * @description Only those of this monitoring rule.
         * @example 7
         */
        RuleId: number;
        /**
         * @description Only those of this alert configuration.
         * @example 31
         */
        AlertConfigId: number;
        /**
         * @description Only those of this scrape job.
         * @example 4
         */
        ScrapeJobId: number;
        /**
         * @description Only those of this gather job.
         * @example 9
         */
        GatherJobId: number;
        /**
         * @description Only those with this label, as `key=value`.
         * @example team=platform
         */
        Label: string;
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
         * @description Only those of this notification channel.
         * @example 2
         */
        ChannelId: number;
        /**
         * @description Only deliveries of this status.
         * @example dead_letter
         */
        DeliveryStatus: components["schemas"]["NotificationDeliveryStatus"];
        /**
         * @description Only deliveries of this event.
         * @example alert.created
         */
        EventType: string;
        /**
         * @description Only those of this alert.
         * @example 88
         */
        AlertId: number;
        /**
         * @description Only what happened before this instant. RFC 3339 with any offset.
         * @example 2026-12-01T00:00:00.000Z
         */
        Until: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The path of what was created.
         * @example /api/v1/client/rules/12
         */
        Location: string;
        /**
         * @description The `revision` of the resource in quotes. Changes to its fields raise it; runs, evaluations, and health don't.
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example name
                 */
                sort?: components["schemas"]["JobSort"];
                /**
                 * @description Only own ones (`organization`), or only global ones.
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
                 * @description Only jobs that this helm sync job made.
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
    getGatherJob: {
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateGatherJobRequest"];
            };
        };
        responses: {
            /** @description The changed gather job. */
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
                 * @description Also delete the alert configurations that use it, with their alerts. Without it a job in use is not deleted (409 `in_use`).
                 * @example true
                 */
                cascade?: components["parameters"]["Cascade"];
            };
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description It is deleted. */
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
    listScrapeJobs: {
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
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
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
                parser_type?: components["schemas"]["ParserType"];
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateScrapeJobRequest"];
            };
        };
        responses: {
            /** @description The changed scrape job. */
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
                 * @description Also delete the alert configurations that use it, with their alerts. Without it a job in use is not deleted (409 `in_use`).
                 * @example true
                 */
                cascade?: components["parameters"]["Cascade"];
            };
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description It is deleted. */
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only versions that differ from the one before.
                 * @example true
                 */
                changes_only?: boolean;
                /**
                 * @description Only what happened at this instant or later. RFC 3339 with any offset.
                 * @example 2026-11-01T00:00:00.000Z
                 */
                since?: components["parameters"]["Since"];
            };
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
            /** @description What was found. */
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
    listHelmSyncJobs: {
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
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Order of the list; a leading `-` is descending.
                 * @example name
                 */
                sort?: components["schemas"]["JobSort"];
                /**
                 * @description Only own ones (`organization`), or only global ones.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateHelmSyncJobRequest"];
            };
        };
        responses: {
            /** @description The changed helm sync job. */
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
                 * @description Also delete the alert configurations that use it, with their alerts. Without it a job in use is not deleted (409 `in_use`).
                 * @example true
                 */
                cascade?: components["parameters"]["Cascade"];
            };
            header?: {
                /**
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description It is deleted. */
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
            };
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only releases of this gather job.
                 * @example 7
                 */
                gather_job_id?: number;
                /**
                 * @description Only releases of this very artifact.
                 * @example github.com/kubernetes/ingress-nginx
                 */
                artifact_name?: string;
                /**
                 * @description Leave out pre-releases.
                 * @example true
                 */
                stable_only?: boolean;
                /**
                 * @description Only own ones (`organization`), or only global ones.
                 * @example organization
                 */
                scope?: components["schemas"]["Scope"];
                /**
                 * @description Only what happened at this instant or later. RFC 3339 with any offset.
                 * @example 2026-11-01T00:00:00.000Z
                 */
                since?: components["parameters"]["Since"];
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only this gather job.
                 * @example 7
                 */
                gather_job_id?: number;
                /**
                 * @description Only own ones (`organization`), or only global ones.
                 * @example organization
                 */
                scope?: components["schemas"]["Scope"];
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only versions of this scrape job.
                 * @example 7
                 */
                scrape_job_id?: number;
                /**
                 * @description Only versions that differ from the one before.
                 * @example true
                 */
                changes_only?: boolean;
                /**
                 * @description Only what happened at this instant or later. RFC 3339 with any offset.
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
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
            /** @description Whether it compiles. */
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
    listRules: {
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
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only rules of this type.
                 * @example days_behind
                 */
                rule_type?: components["schemas"]["MonitoringRuleType"];
                /**
                 * @description Only active ones, or only inactive ones.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateMonitoringRuleRequest"];
            };
        };
        responses: {
            /** @description The changed monitoring rule. */
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The monitoring rule as it is now. */
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
            /** @description What the evaluation did. */
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
    listAlerts: {
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
                /**
                 * @description Whether to leave acknowledged alerts out.
                 * @example true
                 */
                unacknowledged_only?: components["parameters"]["UnacknowledgedOnly"];
                /**
                 * @description Only those of this severity.
                 * @example high
                 */
                severity?: components["parameters"]["Severity"];
                /**
                 * @description Only open alerts of this status.
                 * @example acknowledged
                 */
                status?: "unacknowledged" | "acknowledged";
                /**
                 * @description Only those of this monitoring rule.
                 * @example 7
                 */
                rule_id?: components["parameters"]["RuleId"];
                /**
                 * @description Only those of this alert configuration.
                 * @example 31
                 */
                alert_config_id?: components["parameters"]["AlertConfigId"];
                /**
                 * @description Only those of this scrape job.
                 * @example 4
                 */
                scrape_job_id?: components["parameters"]["ScrapeJobId"];
                /**
                 * @description Only those of this gather job.
                 * @example 9
                 */
                gather_job_id?: components["parameters"]["GatherJobId"];
                /**
                 * @description Only those with this label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Order of the list; a leading `-` is descending. `worst`: critical ones first, of one severity the one whose threshold was crossed first. `behind_by`: days, then majors, then minors, each by how far behind.
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only those of this severity.
                 * @example high
                 */
                severity?: components["parameters"]["Severity"];
                /**
                 * @description Only those of this monitoring rule.
                 * @example 7
                 */
                rule_id?: components["parameters"]["RuleId"];
                /**
                 * @description Only those of this alert configuration.
                 * @example 31
                 */
                alert_config_id?: components["parameters"]["AlertConfigId"];
                /**
                 * @description Only those of this scrape job.
                 * @example 4
                 */
                scrape_job_id?: components["parameters"]["ScrapeJobId"];
                /**
                 * @description Only those of this gather job.
                 * @example 9
                 */
                gather_job_id?: components["parameters"]["GatherJobId"];
                /**
                 * @description Only those with this label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
                 * @example 42
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert with its configuration, rule and jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WithRequired<components["schemas"]["Alert"], "alert_config" | "rule" | "scrape_job" | "gather_job">;
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
                 * @example 42
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert as it is now. */
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
    unacknowledgeAlert: {
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
            /** @description The alert as it is now. */
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
            /** @description What became of each alert. */
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
    listAlertDeliveries: {
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
            /** @description A page of the audit trail. */
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
            /** @description The alert as it is now. */
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
                 * @example 42
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert as it is now. */
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only those in this state.
                 * @example alerting
                 */
                state?: components["schemas"]["AlertConfigState"];
                /**
                 * @description Only those of this severity.
                 * @example high
                 */
                severity?: components["parameters"]["Severity"];
                /**
                 * @description Only active ones, or only inactive ones.
                 * @example true
                 */
                is_active?: components["parameters"]["IsActive"];
                /**
                 * @description Only those of this monitoring rule.
                 * @example 7
                 */
                rule_id?: components["parameters"]["RuleId"];
                /**
                 * @description Only those of this scrape job.
                 * @example 4
                 */
                scrape_job_id?: components["parameters"]["ScrapeJobId"];
                /**
                 * @description Only those of this gather job.
                 * @example 9
                 */
                gather_job_id?: components["parameters"]["GatherJobId"];
                /**
                 * @description Only those with this label, as `key=value`.
                 * @example team=platform
                 */
                label?: components["parameters"]["Label"];
                /**
                 * @description Order of the list; a leading `-` is descending. `worst`: critical ones first, of one severity the one whose threshold was crossed first; those within their thresholds last.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateAlertConfigRequest"];
            };
        };
        responses: {
            /** @description The changed alert configuration. */
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The alert configuration as it is now. */
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
    getAlertConfigBadge: {
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
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
            /** @description The setting as it is now. */
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only active ones, or only inactive ones.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateNotificationChannelRequest"];
            };
        };
        responses: {
            /** @description The changed notification channel. */
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
                 * @example 42
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the target answered. */
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The notification channel as it is now. */
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
            /** @description What was found. */
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
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
            /** @description The template that holds now. */
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
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
            /** @description The global default, which holds now. */
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only active ones, or only inactive ones.
                 * @example true
                 */
                is_active?: components["parameters"]["IsActive"];
                /**
                 * @description Only those of this notification channel.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateNotificationRuleRequest"];
            };
        };
        responses: {
            /** @description The changed notification rule. */
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The notification rule as it is now. */
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
    simulateNotificationRule: {
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
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
            /** @description The changed notification settings. */
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only those of this notification channel.
                 * @example 2
                 */
                channel_id?: components["parameters"]["ChannelId"];
                /**
                 * @description Only deliveries of this status.
                 * @example dead_letter
                 */
                status?: components["parameters"]["DeliveryStatus"];
                /**
                 * @description Only deliveries of this event.
                 * @example alert.created
                 */
                event_type?: components["parameters"]["EventType"];
                /**
                 * @description Only what happened at this instant or later. RFC 3339 with any offset.
                 * @example 2026-11-01T00:00:00.000Z
                 */
                since?: components["parameters"]["Since"];
                /**
                 * @description Only those of this alert.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
            /** @description How many wait again. */
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
    listAPIKeys: {
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
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateAPIKeyRequest"];
            };
        };
        responses: {
            /** @description The changed key. */
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The key as it is now. */
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
                 * @example 42
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is deactivated. */
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only members with this role.
                 * @example admin
                 */
                role?: components["schemas"]["MemberRole"];
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
                "application/json": components["schemas"]["UpdateMemberRequest"];
            };
        };
        responses: {
            /** @description The changed member. */
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
                 * @description ETags of the revision that the request is based on, or `*` for any. With another revision the response is 412 and nothing changes. A weak ETag never matches.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
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
            /** @description The membership was ended. */
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
                 * @description The new role. Without it, the member is removed.
                 * @example viewer
                 */
                role?: components["schemas"]["MemberRole"];
            };
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
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
                 * @description The id of the resource: a decimal number without sign or leading zeros, at most 2^63-1.
                 * @example 42
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation was withdrawn. */
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
                 * @description How many items to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. Past the end the list is empty.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description Only items whose names contain this text; upper and lower case are the same.
                 * @example nginx
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only entries about this.
                 * @example api_key
                 */
                resource?: components["schemas"]["AuditLogResource"];
                /**
                 * @description Only this action, as entries show it.
                 * @example rule.updated
                 */
                action?: string;
                /**
                 * @description Only entries by this actor: a type (`user`, `api_key`, `link`, `system`), a type and an id (`user:3`), or a name in any case.
                 * @example user:3
                 */
                actor?: string;
                /**
                 * @description Only what happened at this instant or later. RFC 3339 with any offset.
                 * @example 2026-11-01T00:00:00.000Z
                 */
                since?: components["parameters"]["Since"];
                /**
                 * @description Only what happened before this instant. RFC 3339 with any offset.
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
            /** @description The stream; it stays open. */
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
