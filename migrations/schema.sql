-- The schema after all migrations, for reading: nothing runs this file. `npm run generate` writes it from a
-- migrated database. The migrations contain the reasons as comments.

CREATE TABLE agents (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  kind text NOT NULL,
  hostname text NOT NULL,
  version text NOT NULL,
  capabilities text[] NOT NULL,
  credential_names text[] NOT NULL,
  credential_names_by_organization jsonb NOT NULL DEFAULT '{}'::jsonb,
  api_key_id bigint,
  last_heartbeat_at timestamptz NOT NULL,
  offline_notified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT agents_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT agents_organization_id_name_key UNIQUE (organization_id, name),
  CONSTRAINT agents_kind_check CHECK ((kind = ANY (ARRAY['embedded'::text, 'remote'::text]))),
  CONSTRAINT agents_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX agents_by_heartbeat ON agents USING btree (last_heartbeat_at);

CREATE TABLE alert_config_explanations (
  organization_id bigint NOT NULL,
  alert_config_id bigint NOT NULL,
  explanation jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT alert_config_explanations_pkey PRIMARY KEY (organization_id, alert_config_id),
  CONSTRAINT alert_config_explanations_organization_id_alert_config_id_fkey
    FOREIGN KEY (organization_id, alert_config_id)
    REFERENCES alert_configs(organization_id, id) ON DELETE CASCADE
) WITH (fillfactor=75, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);

CREATE TABLE alert_configs (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  scrape_job_id bigint NOT NULL,
  gather_organization_id bigint NOT NULL,
  gather_job_id bigint NOT NULL,
  rule_id bigint NOT NULL,
  labels jsonb NOT NULL DEFAULT '{}'::jsonb,
  effective_labels jsonb NOT NULL DEFAULT '{}'::jsonb,
  candidate_pattern text,
  ordinal integer NOT NULL DEFAULT 0,
  ignored_versions text[] NOT NULL DEFAULT '{}'::text[],
  counted_versions text[] NOT NULL DEFAULT '{}'::text[],
  counted_since timestamptz[] NOT NULL DEFAULT '{}'::timestamptz[],
  lifecycle_override jsonb,
  ignored_vulnerabilities jsonb NOT NULL DEFAULT '[]'::jsonb,
  is_active boolean NOT NULL DEFAULT true,
  is_reconfigured boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'no_data'::text,
  state_reason text,
  severity text,
  deployed_version text,
  latest_version text,
  latest_stable_version text,
  mirror_job_id bigint,
  mirror_version text,
  behind_by integer,
  behind_since timestamptz,
  crossed_at timestamptz,
  ends_at timestamptz,
  vulnerability_ids text[],
  last_evaluated_at timestamptz,
  version_reading smallint,
  platform_words text NOT NULL DEFAULT ''::text,
  explanation_fingerprint text,
  muted_version text,
  muted_severity text,
  steady_fingerprint text,
  steady_until timestamptz,
  opening_cause text,
  opening_cause_until timestamptz,
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  requested_seq bigint NOT NULL DEFAULT 1,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT alert_configs_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT alert_configs_check
    CHECK (((gather_organization_id = organization_id) OR (gather_organization_id = 1))),
  CONSTRAINT alert_configs_check1 CHECK ((cardinality(counted_versions) = cardinality(counted_since))),
  CONSTRAINT alert_configs_muted_severity_check
    CHECK ((muted_severity = ANY (ARRAY['moderate'::text, 'high'::text, 'critical'::text]))),
  CONSTRAINT alert_configs_ordinal_check CHECK ((ordinal >= 0)),
  CONSTRAINT alert_configs_severity_check
    CHECK ((severity = ANY (ARRAY['moderate'::text, 'high'::text, 'critical'::text]))),
  CONSTRAINT alert_configs_state_check
    CHECK ((state = ANY (ARRAY['ok'::text, 'alerting'::text, 'no_data'::text, 'stale'::text,
    'inactive'::text]))),
  CONSTRAINT alert_configs_gather_organization_id_gather_job_id_fkey
    FOREIGN KEY (gather_organization_id, gather_job_id)
    REFERENCES gather_jobs(organization_id, id),
  CONSTRAINT alert_configs_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT alert_configs_organization_id_rule_id_fkey
    FOREIGN KEY (organization_id, rule_id)
    REFERENCES rules(organization_id, id),
  CONSTRAINT alert_configs_organization_id_scrape_job_id_fkey
    FOREIGN KEY (organization_id, scrape_job_id)
    REFERENCES scrape_jobs(organization_id, id)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX alert_configs_by_behind_since ON alert_configs
  USING btree (organization_id, behind_since, id)
  WHERE (behind_since IS NOT NULL);
CREATE INDEX alert_configs_by_end ON alert_configs
  USING btree (organization_id, ends_at, id)
  WHERE (ends_at IS NOT NULL);
CREATE INDEX alert_configs_by_evaluation ON alert_configs
  USING btree (organization_id, last_evaluated_at, id);
CREATE INDEX alert_configs_by_gather_job ON alert_configs
  USING btree (gather_organization_id, gather_job_id, organization_id, id);
CREATE INDEX alert_configs_by_labels ON alert_configs USING gin (effective_labels jsonb_path_ops);
CREATE INDEX alert_configs_by_name ON alert_configs USING btree (organization_id, lower(name), id);
CREATE INDEX alert_configs_by_opening_cause ON alert_configs
  USING btree (organization_id, opening_cause)
  WHERE (opening_cause IS NOT NULL);
CREATE UNIQUE INDEX alert_configs_by_parts ON alert_configs
  USING btree (organization_id, scrape_job_id, gather_job_id, rule_id, md5(COALESCE(candidate_pattern,
  ''::text)), ordinal);
CREATE INDEX alert_configs_by_rule ON alert_configs USING btree (organization_id, rule_id, id);
CREATE INDEX alert_configs_by_scrape_job ON alert_configs USING btree (organization_id, scrape_job_id, id);
CREATE INDEX alert_configs_by_severity ON alert_configs
  USING btree (organization_id, severity, created_at, id)
  WHERE (severity IS NOT NULL);
CREATE INDEX alert_configs_by_state ON alert_configs USING btree (organization_id, state, created_at, id);
CREATE INDEX alert_configs_due ON alert_configs
  USING btree (due_at, ((gather_job_id / 64)))
  WHERE (due_at < 'infinity'::timestamptz);
CREATE INDEX alert_configs_in_turn ON alert_configs
  USING btree (organization_id, due_at, ((gather_job_id / 64)))
  WHERE (due_at <> 'infinity'::timestamptz);
CREATE INDEX alert_configs_inactive ON alert_configs
  USING btree (organization_id, created_at, id)
  WHERE (NOT is_active);
CREATE INDEX alert_configs_newest ON alert_configs
  USING btree (organization_id, created_at, id)
  INCLUDE (is_active);
CREATE INDEX alert_configs_with_ignored_vulnerabilities ON alert_configs
  USING btree (organization_id, id)
  WHERE (ignored_vulnerabilities <> '[]'::jsonb);
CREATE INDEX alert_configs_worst ON alert_configs
  USING btree (organization_id, COALESCE(array_position(ARRAY['moderate'::text, 'high'::text,
  'critical'::text], severity), 0) DESC, crossed_at, id);
CREATE INDEX alert_configs_worst_of_job ON alert_configs
  USING btree (organization_id, scrape_job_id, COALESCE(array_position(ARRAY['moderate'::text, 'high'::text,
  'critical'::text], severity), 0) DESC, array_position(ARRAY['inactive'::text, 'ok'::text, 'no_data'::text,
  'stale'::text, 'alerting'::text], state) DESC, crossed_at, id);
CREATE TRIGGER alert_configs_add_labeled
  AFTER INSERT ON alert_configs
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION keep_labeled_configs();
CREATE TRIGGER alert_configs_change_labeled
  AFTER UPDATE OF labels, scrape_job_id, effective_labels ON alert_configs
  FOR EACH ROW WHEN (((old.effective_labels <> new.effective_labels) OR (old.scrape_job_id <>
  new.scrape_job_id)))
  EXECUTE FUNCTION keep_labeled_configs();
CREATE TRIGGER alert_configs_count_added
  AFTER INSERT ON alert_configs
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_alert_configs();
CREATE TRIGGER alert_configs_count_changed
  AFTER UPDATE OF state, state_reason ON alert_configs
  FOR EACH ROW WHEN ((alert_config_kind(old.state, old.state_reason) <> alert_config_kind(new.state,
  new.state_reason)))
  EXECUTE FUNCTION count_alert_configs();
CREATE TRIGGER alert_configs_count_labels_added
  AFTER INSERT ON alert_configs
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_alert_config_labels();
CREATE TRIGGER alert_configs_count_labels_changed
  AFTER UPDATE OF labels, scrape_job_id, effective_labels ON alert_configs
  FOR EACH ROW WHEN ((old.effective_labels <> new.effective_labels))
  EXECUTE FUNCTION count_alert_config_labels();
CREATE TRIGGER alert_configs_count_labels_removed
  AFTER DELETE ON alert_configs
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_alert_config_labels();
CREATE TRIGGER alert_configs_count_removed
  AFTER DELETE ON alert_configs
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_alert_configs();
CREATE TRIGGER alert_configs_count_uses_added
  AFTER INSERT ON alert_configs
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_rule_uses();
CREATE TRIGGER alert_configs_count_uses_changed
  AFTER UPDATE OF rule_id ON alert_configs
  FOR EACH ROW WHEN ((old.rule_id <> new.rule_id))
  EXECUTE FUNCTION count_rule_uses();
CREATE TRIGGER alert_configs_count_uses_removed
  AFTER DELETE ON alert_configs
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_rule_uses();
CREATE TRIGGER alert_configs_delete_labeled
  AFTER DELETE ON alert_configs
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION keep_labeled_configs();
CREATE TRIGGER alert_configs_find_digests_of_added
  AFTER INSERT ON alert_configs
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION find_digests_of_configs();
CREATE TRIGGER alert_configs_find_digests_of_changed
  AFTER UPDATE OF scrape_job_id, gather_organization_id, gather_job_id ON alert_configs
  FOR EACH ROW WHEN ((((old.scrape_job_id IS DISTINCT FROM new.scrape_job_id) OR (old.gather_organization_id
  IS DISTINCT FROM new.gather_organization_id)) OR (old.gather_job_id IS DISTINCT FROM new.gather_job_id)))
  EXECUTE FUNCTION find_digests_of_configs();
CREATE TRIGGER alert_configs_inherit_labels
  BEFORE INSERT OR UPDATE OF labels, scrape_job_id, effective_labels ON alert_configs
  FOR EACH ROW
  EXECUTE FUNCTION inherit_labels();
CREATE CONSTRAINT TRIGGER alert_configs_keep_worst_of_added
  AFTER INSERT OR DELETE ON alert_configs DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION keep_worst();
CREATE CONSTRAINT TRIGGER alert_configs_keep_worst_of_changed
  AFTER UPDATE OF scrape_job_id, state, severity, crossed_at ON alert_configs DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (((((old.scrape_job_id IS DISTINCT FROM new.scrape_job_id) OR (old.state IS DISTINCT FROM
  new.state)) OR (old.severity IS DISTINCT FROM new.severity)) OR (old.crossed_at IS DISTINCT FROM
  new.crossed_at)))
  EXECUTE FUNCTION keep_worst();
CREATE TRIGGER alert_configs_raise_revision
  BEFORE UPDATE OF name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, labels,
  candidate_pattern, ordinal, ignored_versions, counted_versions, lifecycle_override, ignored_vulnerabilities,
  is_active ON alert_configs
  FOR EACH ROW WHEN ((((((((((((((old.name IS DISTINCT FROM new.name) OR (old.scrape_job_id IS DISTINCT FROM
  new.scrape_job_id)) OR (old.gather_organization_id IS DISTINCT FROM new.gather_organization_id)) OR
  (old.gather_job_id IS DISTINCT FROM new.gather_job_id)) OR (old.rule_id IS DISTINCT FROM new.rule_id)) OR
  (old.labels IS DISTINCT FROM new.labels)) OR (old.candidate_pattern IS DISTINCT FROM new.candidate_pattern))
  OR (old.ordinal IS DISTINCT FROM new.ordinal)) OR (old.ignored_versions IS DISTINCT FROM
  new.ignored_versions)) OR (old.counted_versions IS DISTINCT FROM new.counted_versions)) OR
  (old.lifecycle_override IS DISTINCT FROM new.lifecycle_override)) OR (old.ignored_vulnerabilities IS
  DISTINCT FROM new.ignored_vulnerabilities)) OR (old.is_active IS DISTINCT FROM new.is_active)))
  EXECUTE FUNCTION raise_revision();
CREATE TRIGGER alert_configs_relabel_alert
  AFTER UPDATE OF labels, scrape_job_id, effective_labels ON alert_configs
  FOR EACH ROW WHEN (((old.effective_labels IS DISTINCT FROM new.effective_labels) AND (old.scrape_job_id =
  new.scrape_job_id)))
  EXECUTE FUNCTION relabel_open_alert();
CREATE TRIGGER alert_configs_software_added
  AFTER INSERT ON alert_configs
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION follow_software();
CREATE TRIGGER alert_configs_software_removed
  AFTER DELETE ON alert_configs
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT
  EXECUTE FUNCTION follow_software();
CREATE TRIGGER alert_configs_upgrades_added
  AFTER INSERT ON alert_configs
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_upgrade_changes();
CREATE TRIGGER alert_configs_upgrades_changed
  AFTER UPDATE OF name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, labels,
  effective_labels, state, severity, deployed_version, latest_version, behind_since, crossed_at ON
  alert_configs
  FOR EACH ROW WHEN (((((((((((((old.name IS DISTINCT FROM new.name) OR (old.scrape_job_id IS DISTINCT FROM
  new.scrape_job_id)) OR (old.gather_organization_id IS DISTINCT FROM new.gather_organization_id)) OR
  (old.gather_job_id IS DISTINCT FROM new.gather_job_id)) OR (old.rule_id IS DISTINCT FROM new.rule_id)) OR
  (old.effective_labels IS DISTINCT FROM new.effective_labels)) OR (old.state IS DISTINCT FROM new.state)) OR
  (old.severity IS DISTINCT FROM new.severity)) OR (old.deployed_version IS DISTINCT FROM
  new.deployed_version)) OR (old.latest_version IS DISTINCT FROM new.latest_version)) OR (old.behind_since IS
  DISTINCT FROM new.behind_since)) OR (old.crossed_at IS DISTINCT FROM new.crossed_at)))
  EXECUTE FUNCTION count_upgrade_changes();
CREATE TRIGGER alert_configs_upgrades_removed
  AFTER DELETE ON alert_configs
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_upgrade_changes();

CREATE TABLE alert_tickets (
  organization_id bigint NOT NULL,
  alert_id bigint NOT NULL,
  channel_id bigint NOT NULL,
  channel_name text NOT NULL,
  channel_type text NOT NULL,
  target text NOT NULL,
  project text NOT NULL,
  marker text NOT NULL,
  opening_count integer NOT NULL DEFAULT 1,
  started_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  ticket_id text,
  key text,
  url text,
  state text NOT NULL DEFAULT 'open'::text,
  created_at timestamptz,
  closed_at timestamptz,
  CONSTRAINT alert_tickets_pkey PRIMARY KEY (organization_id, alert_id, channel_id),
  CONSTRAINT alert_tickets_check
    CHECK ((((ticket_id IS NULL) = (key IS NULL)) AND ((key IS NULL) = (url IS NULL)) AND ((url IS NULL) =
    (created_at IS NULL)))),
  CONSTRAINT alert_tickets_state_check
    CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text, 'missing'::text]))),
  CONSTRAINT alert_tickets_organization_id_alert_id_fkey
    FOREIGN KEY (organization_id, alert_id)
    REFERENCES alerts(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE alerts (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  alert_config_id bigint NOT NULL,
  rule_id bigint NOT NULL,
  rule_type text NOT NULL,
  severity text NOT NULL,
  reason text NOT NULL,
  discovered_version text NOT NULL,
  latest_version text,
  behind_by integer,
  behind_since timestamptz,
  crossed_at timestamptz,
  ends_at timestamptz,
  is_estimate boolean NOT NULL DEFAULT false,
  artifact_name text NOT NULL,
  repository_url text,
  target_file text,
  release_url text,
  labels jsonb NOT NULL DEFAULT '{}'::jsonb,
  assignee_member_id bigint,
  acknowledged_at timestamptz,
  acknowledged_by_type text,
  acknowledged_by_id bigint,
  acknowledged_by_name text,
  escalated_at timestamptz,
  snoozed_until timestamptz,
  is_snoozed_until_version_changes boolean NOT NULL DEFAULT false,
  resolved_at timestamptz,
  resolved_by_type text,
  resolved_by_id bigint,
  resolved_by_name text,
  resolution text,
  last_sequence integer NOT NULL DEFAULT 0,
  last_notified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT alerts_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT alerts_check CHECK (((resolved_at IS NULL) = (resolution IS NULL))),
  CONSTRAINT alerts_reason_check
    CHECK ((reason = ANY (ARRAY['behind'::text, 'end_of_life'::text, 'fix_available'::text,
    'known_vulnerabilities'::text, 'release_moved'::text, 'upstream_silent'::text, 'version_not_found'::text,
    'version_unparseable'::text]))),
  CONSTRAINT alerts_resolution_check
    CHECK ((resolution = ANY (ARRAY['caught_up'::text, 'manual'::text, 'disabled'::text, 'reconfigured'::text,
    'gone'::text, 'replaced'::text]))),
  CONSTRAINT alerts_severity_check
    CHECK ((severity = ANY (ARRAY['moderate'::text, 'high'::text, 'critical'::text]))),
  CONSTRAINT alerts_assignee_fkey
    FOREIGN KEY (organization_id, assignee_member_id)
    REFERENCES memberships(organization_id, id) ON DELETE SET NULL (assignee_member_id),
  CONSTRAINT alerts_organization_id_alert_config_id_fkey
    FOREIGN KEY (organization_id, alert_config_id)
    REFERENCES alert_configs(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT alerts_organization_id_rule_id_fkey
    FOREIGN KEY (organization_id, rule_id)
    REFERENCES rules(organization_id, id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX alerts_by_assignee ON alerts
  USING btree (organization_id, assignee_member_id, created_at, id)
  WHERE (assignee_member_id IS NOT NULL);
CREATE INDEX alerts_by_config ON alerts USING btree (organization_id, alert_config_id, id);
CREATE INDEX alerts_by_rule_and_resolution ON alerts USING btree (organization_id, rule_id, resolved_at, id);
CREATE UNIQUE INDEX alerts_one_open_by_config ON alerts
  USING btree (organization_id, alert_config_id)
  WHERE (resolved_at IS NULL);
CREATE INDEX alerts_open_acknowledged ON alerts
  USING btree (organization_id, created_at, id)
  WHERE ((resolved_at IS NULL) AND (acknowledged_at IS NOT NULL));
CREATE INDEX alerts_open_by_days ON alerts
  USING btree (organization_id, behind_since DESC, id)
  WHERE ((resolved_at IS NULL) AND (behind_since IS NOT NULL));
CREATE INDEX alerts_open_by_end ON alerts
  USING btree (organization_id, COALESCE(ends_at, '-infinity'::timestamptz) DESC, id)
  WHERE ((resolved_at IS NULL) AND (behind_since IS NULL) AND (rule_type = 'end_of_life'::text));
CREATE INDEX alerts_open_by_labels ON alerts USING gin (labels jsonb_path_ops) WHERE (resolved_at IS NULL);
CREATE INDEX alerts_open_by_rank ON alerts
  USING btree (organization_id, array_position(ARRAY['moderate'::text, 'high'::text, 'critical'::text],
  severity), id)
  WHERE (resolved_at IS NULL);
CREATE INDEX alerts_open_by_rule ON alerts
  USING btree (organization_id, rule_id)
  WHERE (resolved_at IS NULL);
CREATE INDEX alerts_open_by_severity ON alerts
  USING btree (organization_id, severity, created_at, id)
  WHERE (resolved_at IS NULL);
CREATE INDEX alerts_open_by_unit ON alerts
  USING btree (organization_id, rule_type, COALESCE(behind_by, 2147483647), id)
  WHERE ((resolved_at IS NULL) AND (behind_since IS NULL));
CREATE INDEX alerts_open_newest ON alerts
  USING btree (organization_id, created_at, id)
  WHERE (resolved_at IS NULL);
CREATE INDEX alerts_open_unacknowledged ON alerts
  USING btree (organization_id, created_at, id)
  WHERE ((resolved_at IS NULL) AND (acknowledged_at IS NULL));
CREATE INDEX alerts_open_worst ON alerts
  USING btree (organization_id, array_position(ARRAY['moderate'::text, 'high'::text, 'critical'::text],
  severity) DESC, crossed_at, id)
  WHERE (resolved_at IS NULL);
CREATE INDEX alerts_resolved_by_creation ON alerts
  USING btree (organization_id, created_at, id)
  WHERE (resolved_at IS NOT NULL);
CREATE INDEX alerts_resolved_by_labels ON alerts
  USING gin (labels jsonb_path_ops)
  WHERE (resolved_at IS NOT NULL);
CREATE INDEX alerts_resolved_by_rank ON alerts
  USING btree (organization_id, array_position(ARRAY['moderate'::text, 'high'::text, 'critical'::text],
  severity), id)
  WHERE (resolved_at IS NOT NULL);
CREATE INDEX alerts_resolved_by_severity ON alerts
  USING btree (organization_id, severity, resolved_at, id)
  WHERE (resolved_at IS NOT NULL);
CREATE INDEX alerts_resolved_newest ON alerts
  USING btree (organization_id, resolved_at, id)
  WHERE (resolved_at IS NOT NULL);
CREATE INDEX alerts_to_remind ON alerts
  USING btree (organization_id, last_notified_at)
  WHERE ((resolved_at IS NULL) AND (acknowledged_at IS NULL) AND (last_notified_at IS NOT NULL));
CREATE TRIGGER alerts_count_added
  AFTER INSERT ON alerts
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_alerts();
CREATE TRIGGER alerts_count_changed
  AFTER UPDATE OF severity, acknowledged_at, resolved_at, created_at ON alerts
  FOR EACH ROW WHEN (((old.resolved_at IS DISTINCT FROM new.resolved_at) OR (old.created_at <> new.created_at)
  OR (alert_kind(old.severity, old.acknowledged_at, old.resolved_at) <> alert_kind(new.severity,
  new.acknowledged_at, new.resolved_at))))
  EXECUTE FUNCTION count_alerts();
CREATE TRIGGER alerts_count_labels_added
  AFTER INSERT ON alerts
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_alert_labels();
CREATE TRIGGER alerts_count_labels_changed
  AFTER UPDATE OF labels, resolved_at ON alerts
  FOR EACH ROW WHEN (((old.labels <> new.labels) OR ((new.labels <> '{}'::jsonb) AND ((old.resolved_at IS
  NULL) <> (new.resolved_at IS NULL)))))
  EXECUTE FUNCTION count_alert_labels();
CREATE TRIGGER alerts_count_labels_removed
  AFTER DELETE ON alerts
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_alert_labels();
CREATE TRIGGER alerts_count_removed
  AFTER DELETE ON alerts
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_alerts();
CREATE TRIGGER alerts_upgrades_added
  AFTER INSERT ON alerts
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_upgrade_changes();
CREATE TRIGGER alerts_upgrades_changed
  AFTER UPDATE OF severity, reason, latest_version, crossed_at, ends_at, release_url, acknowledged_at,
  escalated_at, snoozed_until, is_snoozed_until_version_changes, resolved_at, created_at ON alerts
  FOR EACH ROW WHEN (((((((((((((old.severity IS DISTINCT FROM new.severity) OR (old.reason IS DISTINCT FROM
  new.reason)) OR (old.latest_version IS DISTINCT FROM new.latest_version)) OR (old.crossed_at IS DISTINCT
  FROM new.crossed_at)) OR (old.ends_at IS DISTINCT FROM new.ends_at)) OR (old.release_url IS DISTINCT FROM
  new.release_url)) OR (old.acknowledged_at IS DISTINCT FROM new.acknowledged_at)) OR (old.escalated_at IS
  DISTINCT FROM new.escalated_at)) OR (old.snoozed_until IS DISTINCT FROM new.snoozed_until)) OR
  (old.is_snoozed_until_version_changes IS DISTINCT FROM new.is_snoozed_until_version_changes)) OR
  (old.resolved_at IS DISTINCT FROM new.resolved_at)) OR (old.created_at IS DISTINCT FROM new.created_at)))
  EXECUTE FUNCTION count_upgrade_changes();
CREATE TRIGGER alerts_upgrades_removed
  AFTER DELETE ON alerts
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_upgrade_changes();

CREATE TABLE alias_changes (
  organization_id bigint NOT NULL,
  prefixes text[] NOT NULL,
  cursor_gather_job_id bigint,
  cursor_item_id bigint NOT NULL,
  done integer NOT NULL,
  total integer NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT alias_changes_pkey PRIMARY KEY (organization_id),
  CONSTRAINT alias_changes_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX alias_changes_oldest ON alias_changes USING btree (attempts, updated_at);

CREATE TABLE api_keys (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  role text NOT NULL,
  agent_capabilities text[],
  agent_credential_names text[],
  key_prefix text NOT NULL DEFAULT ''::text,
  secret_hash bytea NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  deactivated_at timestamptz,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_by_user_id bigint,
  created_by_name text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT api_keys_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT api_keys_agent_limits_check
    CHECK (((role = 'agent'::text) OR ((agent_capabilities IS NULL) AND (agent_credential_names IS NULL)))),
  CONSTRAINT api_keys_role_check
    CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'admin'::text, 'owner'::text, 'agent'::text,
    'reporter'::text]))),
  CONSTRAINT api_keys_created_by_user_id_fkey
    FOREIGN KEY (created_by_user_id)
    REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT api_keys_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX api_keys_by_creator ON api_keys
  USING btree (organization_id, created_by_user_id)
  WHERE (deactivated_at IS NULL);
CREATE UNIQUE INDEX api_keys_by_id ON api_keys USING btree (id);
CREATE INDEX api_keys_newest ON api_keys USING btree (organization_id, created_at, id);
CREATE TRIGGER api_keys_raise_revision
  BEFORE UPDATE OF name, description, is_active, deactivated_at ON api_keys
  FOR EACH ROW WHEN (((((old.name IS DISTINCT FROM new.name) OR (old.description IS DISTINCT FROM
  new.description)) OR (old.is_active IS DISTINCT FROM new.is_active)) OR (old.deactivated_at IS DISTINCT FROM
  new.deactivated_at)))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE artifact_aliases (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  prefix text NOT NULL,
  upstream_prefix text NOT NULL,
  reads_mirror boolean NOT NULL DEFAULT false,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT artifact_aliases_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT artifact_aliases_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX artifact_aliases_by_prefix ON artifact_aliases
  USING btree (organization_id, lower(prefix));
CREATE INDEX artifact_aliases_newest ON artifact_aliases USING btree (organization_id, created_at, id);
CREATE TRIGGER artifact_aliases_raise_revision
  BEFORE UPDATE OF name, prefix, upstream_prefix, reads_mirror ON artifact_aliases
  FOR EACH ROW WHEN (((((old.name IS DISTINCT FROM new.name) OR (old.prefix IS DISTINCT FROM new.prefix)) OR
  (old.upstream_prefix IS DISTINCT FROM new.upstream_prefix)) OR (old.reads_mirror IS DISTINCT FROM
  new.reads_mirror)))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE artifact_corrections (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  artifact_key text COLLATE "C" NOT NULL,
  source_type text,
  artifact_name text,
  source_options jsonb NOT NULL DEFAULT '{}'::jsonb,
  actor_type text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT artifact_corrections_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT artifact_corrections_artifact_key_check CHECK ((octet_length(artifact_key) <= 1200)),
  CONSTRAINT artifact_corrections_check CHECK (((source_type IS NULL) = (artifact_name IS NULL))),
  CONSTRAINT artifact_corrections_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX artifact_corrections_by_artifact ON artifact_corrections
  USING btree (organization_id, artifact_key);
CREATE INDEX artifact_corrections_newest ON artifact_corrections
  USING btree (organization_id, created_at, id);
CREATE TRIGGER artifact_corrections_raise_revision
  BEFORE UPDATE OF source_type, artifact_name, source_options ON artifact_corrections
  FOR EACH ROW WHEN ((((old.source_type IS DISTINCT FROM new.source_type) OR (old.artifact_name IS DISTINCT
  FROM new.artifact_name)) OR (old.source_options IS DISTINCT FROM new.source_options)))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE audit_entries (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  alert_id bigint,
  action text NOT NULL,
  event_type text,
  event_id uuid,
  sequence integer,
  cause text,
  actor_type text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  from_value text,
  to_value text,
  detail text,
  request_id text,
  data jsonb,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT audit_entries_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT audit_entries_actor_type_check
    CHECK ((actor_type = ANY (ARRAY['user'::text, 'api_key'::text, 'deployment_trust'::text, 'link'::text,
    'system'::text]))),
  CONSTRAINT audit_entries_check CHECK (((event_type IS NULL) = (event_id IS NULL))),
  CONSTRAINT audit_entries_organization_id_alert_id_fkey
    FOREIGN KEY (organization_id, alert_id)
    REFERENCES alerts(organization_id, id),
  CONSTRAINT audit_entries_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX audit_entries_by_alert ON audit_entries
  USING btree (organization_id, alert_id, id)
  WHERE (alert_id IS NOT NULL);
CREATE UNIQUE INDEX audit_entries_by_event ON audit_entries
  USING btree (organization_id, event_id)
  WHERE (event_id IS NOT NULL);
CREATE INDEX audit_entries_without_alert ON audit_entries
  USING btree (organization_id, id)
  WHERE (alert_id IS NULL);

CREATE TABLE audit_exports (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  url_shown text NOT NULL,
  header_names text[] NOT NULL,
  url_sealed bytea,
  headers_sealed bytea,
  secret_sealed bytea,
  last_entry_id bigint NOT NULL,
  last_entry_at timestamptz,
  horizon_id bigint,
  horizon_writers text[],
  last_success_at timestamptz,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  last_error jsonb,
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT audit_exports_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT audit_exports_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX audit_exports_due ON audit_exports USING btree (due_at);
CREATE INDEX audit_exports_newest ON audit_exports USING btree (organization_id, created_at, id);

CREATE TABLE audit_log (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  action text NOT NULL,
  resource text NOT NULL,
  resource_id bigint,
  resource_name text,
  actor_type text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  detail jsonb,
  changes jsonb,
  request_id text,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT audit_log_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT audit_log_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX audit_log_by_action ON audit_log USING btree (organization_id, action, created_at, id);
CREATE INDEX audit_log_by_actor ON audit_log
  USING btree (organization_id, actor_type, actor_id, created_at, id);
CREATE INDEX audit_log_by_actor_name ON audit_log
  USING btree (organization_id, lower(actor_name), created_at, id);
CREATE INDEX audit_log_by_actor_type ON audit_log USING btree (organization_id, actor_type, created_at, id);
CREATE INDEX audit_log_by_resource ON audit_log USING btree (organization_id, resource, created_at, id);
CREATE INDEX audit_log_newest ON audit_log USING btree (organization_id, created_at, id);

CREATE TABLE chat_accounts (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  platform text NOT NULL,
  realm bytea NOT NULL,
  workspace_id text NOT NULL,
  workspace_name text NOT NULL,
  chat_user_id text NOT NULL,
  chat_user_name text NOT NULL,
  user_id bigint NOT NULL,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT chat_accounts_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT chat_accounts_organization_id_platform_realm_workspace_id_c_key UNIQUE (organization_id,
    platform, realm, workspace_id, chat_user_id),
  CONSTRAINT chat_accounts_platform_check
    CHECK ((platform = ANY (ARRAY['slack'::text, 'mattermost'::text]))),
  CONSTRAINT chat_accounts_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT chat_accounts_organization_id_user_id_fkey
    FOREIGN KEY (organization_id, user_id)
    REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX chat_accounts_by_member ON chat_accounts USING btree (organization_id, user_id, id);

CREATE TABLE chat_links (
  organization_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  platform text NOT NULL,
  realm bytea NOT NULL,
  workspace_id text NOT NULL,
  workspace_name text NOT NULL,
  chat_user_id text NOT NULL,
  chat_user_name text NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT chat_links_pkey PRIMARY KEY (organization_id, platform, realm, workspace_id, chat_user_id),
  CONSTRAINT chat_links_token_hash_key UNIQUE (token_hash),
  CONSTRAINT chat_links_platform_check CHECK ((platform = ANY (ARRAY['slack'::text, 'mattermost'::text]))),
  CONSTRAINT chat_links_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX chat_links_by_expiry ON chat_links USING btree (expires_at);

CREATE TABLE chat_presses (
  organization_id bigint NOT NULL,
  channel_id bigint NOT NULL,
  key bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT chat_presses_pkey PRIMARY KEY (organization_id, channel_id, key),
  CONSTRAINT chat_presses_organization_id_channel_id_fkey
    FOREIGN KEY (organization_id, channel_id)
    REFERENCES notification_channels(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX chat_presses_by_age ON chat_presses USING btree (received_at);

CREATE TABLE check_claims (
  organization_id bigint NOT NULL,
  lease_token uuid NOT NULL,
  kind text NOT NULL,
  agent_id bigint NOT NULL,
  started_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  lease_until timestamptz NOT NULL,
  organization_ids bigint[] NOT NULL,
  job_ids bigint[] NOT NULL,
  run_ids bigint[] NOT NULL,
  due_ats timestamptz[] NOT NULL,
  requested_seqs bigint[] NOT NULL,
  full_run_ids bigint[] NOT NULL DEFAULT '{}'::bigint[],
  CONSTRAINT check_claims_pkey PRIMARY KEY (organization_id, lease_token),
  CONSTRAINT check_claims_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX check_claims_by_lease ON check_claims USING btree (lease_until);
CREATE INDEX check_claims_by_token ON check_claims USING btree (lease_token);

CREATE TABLE configuration_applies (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  status text NOT NULL,
  fingerprint text NOT NULL,
  steps_total integer NOT NULL,
  steps_done integer NOT NULL DEFAULT 0,
  created_count integer NOT NULL,
  updated_count integer NOT NULL,
  deleted_count integer NOT NULL,
  pending_gather_jobs jsonb NOT NULL DEFAULT '[]'::jsonb,
  error jsonb,
  actor_type text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  lease_token uuid NOT NULL DEFAULT gen_random_uuid(),
  lease_until timestamptz,
  finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT configuration_applies_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT configuration_applies_check
    CHECK (((status = 'in_progress'::text) = (lease_until IS NOT NULL))),
  CONSTRAINT configuration_applies_check1 CHECK (((status = 'in_progress'::text) = (finished_at IS NULL))),
  CONSTRAINT configuration_applies_status_check
    CHECK ((status = ANY (ARRAY['in_progress'::text, 'succeeded'::text, 'failed'::text]))),
  CONSTRAINT configuration_applies_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX configuration_applies_in_progress ON configuration_applies
  USING btree (organization_id)
  WHERE (status = 'in_progress'::text);

CREATE TABLE deleted_scrape_jobs (
  organization_id bigint NOT NULL,
  id bigint NOT NULL,
  name text NOT NULL,
  labels jsonb NOT NULL,
  gap_since timestamptz NOT NULL,
  gap_reason text NOT NULL,
  deleted_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT deleted_scrape_jobs_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT deleted_scrape_jobs_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX deleted_scrape_jobs_by_age ON deleted_scrape_jobs USING btree (organization_id, deleted_at);

CREATE TABLE delivery_attempts (
  organization_id bigint NOT NULL,
  notification_delivery_id bigint NOT NULL,
  number integer NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  response_status integer,
  response_body_sealed bytea,
  error_code text,
  error_message text,
  CONSTRAINT delivery_attempts_pkey PRIMARY KEY (organization_id, notification_delivery_id, number),
  CONSTRAINT delivery_attempts_organization_id_notification_delivery_id_fkey
    FOREIGN KEY (organization_id, notification_delivery_id)
    REFERENCES notification_deliveries(organization_id, id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);

CREATE TABLE deployment_comparisons (
  organization_id bigint NOT NULL,
  scrape_job_id bigint NOT NULL,
  gather_job_id bigint NOT NULL,
  rule_id bigint NOT NULL,
  CONSTRAINT deployment_comparisons_pkey PRIMARY KEY (organization_id, scrape_job_id, gather_job_id),
  CONSTRAINT deployment_comparisons_organization_id_rule_id_fkey
    FOREIGN KEY (organization_id, rule_id)
    REFERENCES rules(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT deployment_comparisons_organization_id_scrape_job_id_fkey
    FOREIGN KEY (organization_id, scrape_job_id)
    REFERENCES scrape_jobs(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX deployment_comparisons_by_rule ON deployment_comparisons USING btree (organization_id, rule_id);

CREATE TABLE deployment_trusts (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  code text NOT NULL,
  name text NOT NULL,
  issuer text NOT NULL,
  audience text,
  claims jsonb NOT NULL,
  services text[] NOT NULL,
  environments text[] NOT NULL,
  expires_at timestamptz,
  is_active boolean NOT NULL DEFAULT true,
  last_used_at timestamptz,
  saved_by_user_id bigint,
  saved_by_name text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT deployment_trusts_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT deployment_trusts_code_key UNIQUE (code),
  CONSTRAINT deployment_trusts_organization_id_check CHECK ((organization_id <> 1)),
  CONSTRAINT deployment_trusts_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT deployment_trusts_saved_by_user_id_fkey
    FOREIGN KEY (saved_by_user_id)
    REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX deployment_trusts_newest ON deployment_trusts USING btree (organization_id, created_at, id);
CREATE TRIGGER deployment_trusts_raise_revision
  BEFORE UPDATE OF name, issuer, audience, claims, services, environments, expires_at, is_active ON
  deployment_trusts
  FOR EACH ROW WHEN (((((((((old.name IS DISTINCT FROM new.name) OR (old.issuer IS DISTINCT FROM new.issuer))
  OR (old.audience IS DISTINCT FROM new.audience)) OR (old.claims IS DISTINCT FROM new.claims)) OR
  (old.services IS DISTINCT FROM new.services)) OR (old.environments IS DISTINCT FROM new.environments)) OR
  (old.expires_at IS DISTINCT FROM new.expires_at)) OR (old.is_active IS DISTINCT FROM new.is_active)))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE deployments (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  scrape_job_id bigint,
  service text NOT NULL,
  environment text NOT NULL,
  version text NOT NULL,
  artifact text,
  commit_sha text,
  url text,
  labels jsonb NOT NULL DEFAULT '{}'::jsonb,
  deployed_at timestamptz NOT NULL,
  is_late boolean NOT NULL,
  event_key bytea,
  actor_type text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT deployments_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT deployments_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT deployments_organization_id_scrape_job_id_fkey
    FOREIGN KEY (organization_id, scrape_job_id)
    REFERENCES scrape_jobs(organization_id, id) ON DELETE SET NULL (scrape_job_id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX deployments_by_environment ON deployments
  USING btree (organization_id, environment, deployed_at, id);
CREATE UNIQUE INDEX deployments_by_event ON deployments
  USING btree (organization_id, event_key)
  WHERE ((event_key IS NOT NULL) AND (scrape_job_id IS NOT NULL));
CREATE INDEX deployments_by_scrape_job ON deployments
  USING btree (organization_id, scrape_job_id, deployed_at, id);
CREATE INDEX deployments_by_service ON deployments USING btree (organization_id, service, deployed_at, id);
CREATE INDEX deployments_newest ON deployments USING btree (organization_id, deployed_at, id);

CREATE TABLE device_logins (
  device_code_hash bytea NOT NULL,
  user_code text NOT NULL,
  address text,
  client_block text,
  user_agent text,
  expires_at timestamptz NOT NULL,
  approved_family_id uuid,
  user_id bigint,
  organization_id bigint,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT device_logins_pkey PRIMARY KEY (device_code_hash),
  CONSTRAINT device_logins_user_code_key UNIQUE (user_code),
  CONSTRAINT device_logins_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT device_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX device_logins_by_expiry ON device_logins USING btree (expires_at);
CREATE INDEX device_logins_by_user ON device_logins USING btree (user_id);

CREATE TABLE digest_fan_outs (
  organization_id bigint NOT NULL,
  gather_job_id bigint NOT NULL,
  for_organization_id bigint NOT NULL,
  cursor_organization_id bigint NOT NULL DEFAULT 0,
  cursor_item_id bigint NOT NULL DEFAULT 0,
  pass_requested_seq bigint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT 'infinity'::timestamptz,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT digest_fan_outs_pkey PRIMARY KEY (organization_id, gather_job_id, for_organization_id),
  CONSTRAINT digest_fan_outs_for_organization_id_fkey
    FOREIGN KEY (for_organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT digest_fan_outs_organization_id_gather_job_id_fkey
    FOREIGN KEY (organization_id, gather_job_id)
    REFERENCES gather_jobs(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX digest_fan_outs_due ON digest_fan_outs
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);
CREATE INDEX digest_fan_outs_in_turn ON digest_fan_outs
  USING btree (for_organization_id, due_at, organization_id, gather_job_id)
  WHERE (due_at <> 'infinity'::timestamptz);

CREATE TABLE discovered_items (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  discovery_job_id bigint NOT NULL,
  extractor text NOT NULL,
  key text COLLATE "C" NOT NULL,
  discriminator text COLLATE "C" NOT NULL DEFAULT ''::text,
  path text COLLATE "C" NOT NULL,
  line integer NOT NULL DEFAULT 1,
  document integer NOT NULL DEFAULT 0,
  kind text,
  namespace text,
  name text,
  field text NOT NULL DEFAULT ''::text,
  blob_id text,
  artifact_kind text NOT NULL,
  artifact_name text NOT NULL,
  artifact_purl text,
  artifact_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (COALESCE(artifact_purl, ((artifact_kind ||
    ':'::text) || artifact_name))) STORED,
  version text,
  version_state text NOT NULL,
  digest text,
  digest_since timestamptz NOT NULL DEFAULT pacekeeper_now(),
  matched_version text,
  note text,
  live_version text,
  live_since timestamptz,
  live_job_id bigint,
  live_match text,
  labels jsonb NOT NULL DEFAULT '{}'::jsonb,
  label_sources jsonb NOT NULL DEFAULT '{}'::jsonb,
  set_labels jsonb NOT NULL DEFAULT '{}'::jsonb,
  environment text COLLATE "C" GENERATED ALWAYS AS ("left"(COALESCE((set_labels ->> 'environment'::text),
    (labels ->> 'environment'::text)), 200)) STORED,
  proposal jsonb,
  proposal_confidence text NOT NULL DEFAULT 'none'::text,
  mirror jsonb,
  address text COLLATE "C" GENERATED ALWAYS AS ("left"(lower(artifact_address(COALESCE((mirror #>>
    '{proposal,artifact_name}'::text[]), (proposal ->> 'artifact_name'::text)))), 300)) STORED,
  suggestion jsonb,
  project_url text,
  set_source jsonb,
  set_name text,
  confidence text NOT NULL DEFAULT 'none'::text,
  status text NOT NULL DEFAULT 'new'::text,
  reason text,
  ignore_reason text,
  renovate_ignore text,
  ignored_by_rule boolean NOT NULL DEFAULT false,
  duplicate_of_id bigint,
  replaces_id bigint,
  replaced_by_id bigint,
  scrape_job_id bigint,
  rule_id bigint,
  alert_config_id bigint,
  not_monitored boolean NOT NULL DEFAULT false,
  derived_from jsonb,
  derived jsonb,
  derive_problem text,
  pauses_job boolean NOT NULL DEFAULT false,
  missing_since timestamptz,
  unread_since timestamptz,
  unread_reason text,
  unread_message text,
  version_unknown_since timestamptz,
  restored_at timestamptz,
  first_seen_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  last_seen_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  revision integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT discovered_items_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT discovered_items_organization_id_discovery_job_id_key_discr_key UNIQUE (organization_id,
    discovery_job_id, key, discriminator),
  CONSTRAINT discovered_items_artifact_key_check CHECK ((octet_length(artifact_key) <= 1200)),
  CONSTRAINT discovered_items_confidence_check
    CHECK ((confidence = ANY (ARRAY['certain'::text, 'likely'::text, 'none'::text]))),
  CONSTRAINT discovered_items_discriminator_check CHECK ((octet_length(discriminator) <= 600)),
  CONSTRAINT discovered_items_key_check CHECK ((octet_length(key) <= 1500)),
  CONSTRAINT discovered_items_path_check CHECK ((octet_length(path) <= 1024)),
  CONSTRAINT discovered_items_proposal_confidence_check
    CHECK ((proposal_confidence = ANY (ARRAY['certain'::text, 'likely'::text, 'none'::text]))),
  CONSTRAINT discovered_items_status_check
    CHECK ((status = ANY (ARRAY['new'::text, 'accepted'::text, 'ignored'::text, 'gone'::text,
    'replaced'::text]))),
  CONSTRAINT discovered_items_version_state_check
    CHECK ((version_state = ANY (ARRAY['exact'::text, 'range'::text, 'floating'::text, 'digest'::text,
    'commit'::text, 'templated'::text, 'overridden'::text]))),
  CONSTRAINT discovered_items_organization_id_discovery_job_id_fkey
    FOREIGN KEY (organization_id, discovery_job_id)
    REFERENCES discovery_jobs(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT discovered_items_organization_id_scrape_job_id_fkey
    FOREIGN KEY (organization_id, scrape_job_id)
    REFERENCES scrape_jobs(organization_id, id)
) WITH (fillfactor=85, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX discovered_items_accepted ON discovered_items
  USING btree (organization_id, discovery_job_id, id)
  WHERE ((status = 'accepted'::text) AND (missing_since IS NULL));
CREATE INDEX discovered_items_by_address ON discovered_items
  USING btree (organization_id, address)
  WHERE (address IS NOT NULL);
CREATE INDEX discovered_items_by_alert_config ON discovered_items
  USING btree (organization_id, alert_config_id)
  WHERE (alert_config_id IS NOT NULL);
CREATE INDEX discovered_items_by_artifact ON discovered_items
  USING btree (organization_id, artifact_key, discovery_job_id, status);
CREATE INDEX discovered_items_by_chart ON discovered_items
  USING btree (organization_id, artifact_name)
  WHERE ((artifact_kind = 'chart'::text) AND (proposal IS NOT NULL));
CREATE INDEX discovered_items_by_digest ON discovered_items
  USING btree (digest, organization_id, id)
  WHERE (digest IS NOT NULL);
CREATE INDEX discovered_items_by_environment ON discovered_items
  USING btree (organization_id, environment, discovery_job_id, path, id);
CREATE INDEX discovered_items_by_extractor ON discovered_items
  USING btree (organization_id, extractor, discovery_job_id, path, id);
CREATE INDEX discovered_items_by_ignore_rule ON discovered_items
  USING btree (organization_id, discovery_job_id)
  WHERE ((scrape_job_id IS NULL) AND (((status = 'ignored'::text) AND ignored_by_rule) OR ((status =
  'new'::text) AND (duplicate_of_id IS NOT NULL))));
CREATE INDEX discovered_items_by_job ON discovered_items USING btree (organization_id, discovery_job_id, id);
CREATE INDEX discovered_items_by_place ON discovered_items
  USING btree (organization_id, discovery_job_id, path, id);
CREATE UNIQUE INDEX discovered_items_by_scrape_job ON discovered_items
  USING btree (organization_id, scrape_job_id)
  WHERE (scrape_job_id IS NOT NULL);
CREATE INDEX discovered_items_by_status ON discovered_items
  USING btree (organization_id, status, discovery_job_id, path, id);
CREATE INDEX discovered_items_decided ON discovered_items
  USING btree (organization_id, discovery_job_id, id)
  WHERE ((scrape_job_id IS NULL) AND (((status = 'ignored'::text) AND (duplicate_of_id IS NULL) AND (NOT
  ignored_by_rule)) OR ((status = 'new'::text) AND (restored_at IS NOT NULL))));
CREATE INDEX discovered_items_duplicates ON discovered_items
  USING btree (organization_id, duplicate_of_id)
  WHERE (duplicate_of_id IS NOT NULL);
CREATE INDEX discovered_items_live ON discovered_items
  USING btree (organization_id, live_job_id)
  WHERE (live_job_id IS NOT NULL);
CREATE INDEX discovered_items_missing ON discovered_items
  USING btree (organization_id, discovery_job_id, id)
  WHERE (missing_since IS NOT NULL);
CREATE INDEX discovered_items_unmatched ON discovered_items
  USING btree (organization_id, discovery_job_id, id)
  WHERE ((digest IS NOT NULL) AND (matched_version IS NULL));
CREATE INDEX discovered_items_unread ON discovered_items
  USING btree (organization_id, discovery_job_id, id)
  WHERE ((unread_since IS NOT NULL) OR (version_unknown_since IS NOT NULL));
CREATE TRIGGER discovered_items_count_added
  AFTER INSERT ON discovered_items
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_discovered_items();
CREATE TRIGGER discovered_items_count_changed
  AFTER UPDATE ON discovered_items
  REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_discovered_items();
CREATE TRIGGER discovered_items_count_removed
  AFTER DELETE ON discovered_items
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_discovered_items();
CREATE TRIGGER discovered_items_forget_match
  BEFORE UPDATE OF digest ON discovered_items
  FOR EACH ROW WHEN ((old.digest IS DISTINCT FROM new.digest))
  EXECUTE FUNCTION forget_match_of_digest();
CREATE TRIGGER discovered_items_raise_revision
  BEFORE UPDATE OF set_labels, set_source, set_name ON discovered_items
  FOR EACH ROW WHEN ((((old.set_labels IS DISTINCT FROM new.set_labels) OR (old.set_source IS DISTINCT FROM
  new.set_source)) OR (old.set_name IS DISTINCT FROM new.set_name)))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE discovery_jobs (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  kind text NOT NULL,
  repository_url text,
  ref text,
  cluster_name text,
  helm_secrets boolean NOT NULL DEFAULT false,
  cluster_uid text,
  host_name text,
  host_uid text,
  group_url text,
  forge text,
  repository_filter jsonb,
  group_job_id bigint,
  forge_id text,
  pushed_at timestamptz,
  read_push timestamptz,
  unlisted_since timestamptz,
  unlisted_reason text,
  moved_to text,
  removal text,
  is_removed boolean NOT NULL DEFAULT false,
  include text[] NOT NULL DEFAULT '{}'::text[],
  exclude text[] NOT NULL DEFAULT '{}'::text[],
  extractors text[] NOT NULL DEFAULT '{}'::text[],
  label_rules jsonb NOT NULL DEFAULT '[]'::jsonb,
  custom_extractors jsonb NOT NULL DEFAULT '[]'::jsonb,
  ignore_rules jsonb NOT NULL DEFAULT '[]'::jsonb,
  accept text NOT NULL DEFAULT 'ask'::text,
  accept_roles text[] NOT NULL DEFAULT '{deployed}'::text[],
  default_rule_id bigint,
  credential_name text,
  source_credentials jsonb NOT NULL DEFAULT '[]'::jsonb,
  cron_expression text,
  cron_timezone text NOT NULL DEFAULT 'UTC'::text,
  is_active boolean NOT NULL DEFAULT true,
  validators jsonb,
  coverage jsonb,
  gone_held_at timestamptz,
  gone_held_count integer,
  is_loss_expected boolean NOT NULL DEFAULT false,
  confirmed_at timestamptz,
  live_until timestamptz,
  last_success_at timestamptz,
  last_outcome text NOT NULL DEFAULT 'none'::text,
  last_outcome_at timestamptz,
  failing_since timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity'::timestamptz,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  counted_in_run_id bigint,
  counted_checks integer NOT NULL DEFAULT 0,
  last_counted_run_id bigint,
  last_counted_at timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT discovery_jobs_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT discovery_jobs_accept_check
    CHECK ((accept = ANY (ARRAY['ask'::text, 'known'::text, 'all'::text]))),
  CONSTRAINT discovery_jobs_accept_roles_check
    CHECK (((cardinality(accept_roles) > 0) AND (accept_roles <@ '{deployed,build,ci}'::text[]))),
  CONSTRAINT discovery_jobs_check CHECK (((kind = 'git_repository'::text) = (repository_url IS NOT NULL))),
  CONSTRAINT discovery_jobs_check1 CHECK (((repository_url IS NULL) = (ref IS NULL))),
  CONSTRAINT discovery_jobs_check2 CHECK (((gone_held_at IS NULL) = (gone_held_count IS NULL))),
  CONSTRAINT discovery_jobs_check3
    CHECK (((NOT is_removed) OR ((unlisted_since IS NOT NULL) AND (NOT is_active)))),
  CONSTRAINT discovery_jobs_check4
    CHECK (((removal IS NULL) OR ((unlisted_since IS NOT NULL) AND (NOT is_removed)))),
  CONSTRAINT discovery_jobs_check5
    CHECK (((moved_to IS NOT NULL) = (COALESCE(unlisted_reason, ''::text) = 'moved'::text))),
  CONSTRAINT discovery_jobs_check6
    CHECK ((num_nonnulls(counted_in_run_id, last_counted_run_id, last_counted_at) = CASE counted_checks WHEN 0
    THEN 0 ELSE 3 END)),
  CONSTRAINT discovery_jobs_cluster_check
    CHECK (((kind = 'kubernetes_cluster'::text) = (cluster_name IS NOT NULL))),
  CONSTRAINT discovery_jobs_forge_check
    CHECK ((forge = ANY (ARRAY['github'::text, 'gitlab'::text, 'gitea'::text]))),
  CONSTRAINT discovery_jobs_group_check
    CHECK ((((kind = 'repository_group'::text) = (group_url IS NOT NULL)) AND ((group_url IS NULL) = (forge IS
    NULL)) AND ((group_url IS NULL) = (repository_filter IS NULL)))),
  CONSTRAINT discovery_jobs_grouped_check
    CHECK ((((group_job_id IS NULL) = (forge_id IS NULL)) AND ((group_job_id IS NULL) OR (kind =
    'git_repository'::text)))),
  CONSTRAINT discovery_jobs_host_check CHECK (((kind = 'container_host'::text) = (host_name IS NOT NULL))),
  CONSTRAINT discovery_jobs_kind_check
    CHECK ((kind = ANY (ARRAY['git_repository'::text, 'kubernetes_cluster'::text, 'container_host'::text,
    'repository_group'::text]))),
  CONSTRAINT discovery_jobs_last_outcome_check
    CHECK ((last_outcome = ANY (ARRAY['none'::text, 'succeeded'::text, 'failed'::text]))),
  CONSTRAINT discovery_jobs_removal_check CHECK ((removal = ANY (ARRAY['held'::text, 'confirmed'::text]))),
  CONSTRAINT discovery_jobs_organization_id_default_rule_id_fkey
    FOREIGN KEY (organization_id, default_rule_id)
    REFERENCES rules(organization_id, id),
  CONSTRAINT discovery_jobs_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT discovery_jobs_organization_id_group_job_id_fkey
    FOREIGN KEY (organization_id, group_job_id)
    REFERENCES discovery_jobs(organization_id, id)
) WITH (fillfactor=85, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE UNIQUE INDEX discovery_jobs_by_group ON discovery_jobs
  USING btree (organization_id, group_job_id, forge_id)
  WHERE (group_job_id IS NOT NULL);
CREATE INDEX discovery_jobs_by_name ON discovery_jobs
  USING btree (organization_id, lower(name), id)
  WHERE (group_job_id IS NULL);
CREATE INDEX discovery_jobs_by_repository ON discovery_jobs
  USING btree (organization_id, repository_url)
  WHERE (repository_url IS NOT NULL);
CREATE INDEX discovery_jobs_by_rule ON discovery_jobs
  USING btree (organization_id, default_rule_id)
  WHERE (default_rule_id IS NOT NULL);
CREATE INDEX discovery_jobs_by_success ON discovery_jobs
  USING btree (GREATEST(COALESCE(last_success_at, created_at), updated_at))
  WHERE (is_active AND (cron_expression IS NOT NULL) AND (failing_since IS NULL));
CREATE INDEX discovery_jobs_due ON discovery_jobs
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);
CREATE INDEX discovery_jobs_failed ON discovery_jobs
  USING btree (organization_id, last_outcome_at DESC, id)
  WHERE (last_outcome = 'failed'::text);
CREATE INDEX discovery_jobs_groups ON discovery_jobs
  USING btree (organization_id, id)
  WHERE (kind = 'repository_group'::text);
CREATE INDEX discovery_jobs_in_turn ON discovery_jobs
  USING btree (organization_id, due_at)
  WHERE (due_at <> 'infinity'::timestamptz);
CREATE INDEX discovery_jobs_live ON discovery_jobs
  USING btree (live_until)
  WHERE (live_until < 'infinity'::timestamptz);
CREATE INDEX discovery_jobs_newest ON discovery_jobs
  USING btree (organization_id, created_at, id)
  WHERE (group_job_id IS NULL);
CREATE INDEX discovery_jobs_of_group ON discovery_jobs
  USING btree (organization_id, group_job_id, lower(name), id)
  WHERE (group_job_id IS NOT NULL);
CREATE TRIGGER discovery_jobs_count_added
  AFTER INSERT ON discovery_jobs
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_jobs('discovery');
CREATE TRIGGER discovery_jobs_count_changed
  AFTER UPDATE OF is_active ON discovery_jobs
  FOR EACH ROW WHEN ((old.is_active <> new.is_active))
  EXECUTE FUNCTION count_jobs('discovery');
CREATE TRIGGER discovery_jobs_count_failed_added
  AFTER INSERT ON discovery_jobs
  FOR EACH ROW WHEN ((new.is_active AND (new.last_outcome = 'failed'::text)))
  EXECUTE FUNCTION count_failed_jobs('discovery');
CREATE TRIGGER discovery_jobs_count_failed_changed
  AFTER UPDATE OF is_active, last_outcome ON discovery_jobs
  FOR EACH ROW WHEN (((old.is_active AND (old.last_outcome = 'failed'::text)) <> (new.is_active AND
  (new.last_outcome = 'failed'::text))))
  EXECUTE FUNCTION count_failed_jobs('discovery');
CREATE TRIGGER discovery_jobs_count_failed_removed
  AFTER DELETE ON discovery_jobs
  FOR EACH ROW WHEN ((old.is_active AND (old.last_outcome = 'failed'::text)))
  EXECUTE FUNCTION count_failed_jobs('discovery');
CREATE TRIGGER discovery_jobs_count_removed
  AFTER DELETE ON discovery_jobs
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_jobs('discovery');
CREATE TRIGGER discovery_jobs_leave_schedule_to_group
  BEFORE INSERT OR UPDATE OF due_at ON discovery_jobs
  FOR EACH ROW WHEN (((new.group_job_id IS NOT NULL) AND (new.due_at > pacekeeper_now())))
  EXECUTE FUNCTION leave_schedule_to_group();
CREATE TRIGGER discovery_jobs_open_gaps
  AFTER UPDATE OF last_outcome, failing_since, is_active ON discovery_jobs
  FOR EACH ROW WHEN ((((new.last_outcome = 'failed'::text) AND (old.last_outcome <> 'failed'::text)) OR
  ((new.failing_since IS NOT NULL) AND (old.failing_since IS NULL)) OR ((NOT new.is_active) AND
  old.is_active)))
  EXECUTE FUNCTION open_gaps_of_items();
CREATE TRIGGER discovery_jobs_raise_revision
  BEFORE UPDATE OF name, kind, repository_url, ref, cluster_name, helm_secrets, host_name, group_url, forge,
  repository_filter, include, exclude, extractors, label_rules, custom_extractors, ignore_rules, accept,
  accept_roles, default_rule_id, credential_name, source_credentials, cron_expression, cron_timezone,
  is_active ON discovery_jobs
  FOR EACH ROW WHEN (((((((((((((((((((((((((old.name IS DISTINCT FROM new.name) OR (old.kind IS DISTINCT FROM
  new.kind)) OR (old.repository_url IS DISTINCT FROM new.repository_url)) OR (old.ref IS DISTINCT FROM
  new.ref)) OR (old.cluster_name IS DISTINCT FROM new.cluster_name)) OR (old.helm_secrets IS DISTINCT FROM
  new.helm_secrets)) OR (old.host_name IS DISTINCT FROM new.host_name)) OR (old.group_url IS DISTINCT FROM
  new.group_url)) OR (old.forge IS DISTINCT FROM new.forge)) OR (old.repository_filter IS DISTINCT FROM
  new.repository_filter)) OR (old.include IS DISTINCT FROM new.include)) OR (old.exclude IS DISTINCT FROM
  new.exclude)) OR (old.extractors IS DISTINCT FROM new.extractors)) OR (old.label_rules IS DISTINCT FROM
  new.label_rules)) OR (old.custom_extractors IS DISTINCT FROM new.custom_extractors)) OR (old.ignore_rules IS
  DISTINCT FROM new.ignore_rules)) OR (old.accept IS DISTINCT FROM new.accept)) OR (old.accept_roles IS
  DISTINCT FROM new.accept_roles)) OR (old.default_rule_id IS DISTINCT FROM new.default_rule_id)) OR
  (old.credential_name IS DISTINCT FROM new.credential_name)) OR (old.source_credentials IS DISTINCT FROM
  new.source_credentials)) OR (old.cron_expression IS DISTINCT FROM new.cron_expression)) OR
  (old.cron_timezone IS DISTINCT FROM new.cron_timezone)) OR (old.is_active IS DISTINCT FROM new.is_active)))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE email_budgets (
  organization_id bigint NOT NULL,
  kind text NOT NULL,
  started_at timestamptz NOT NULL,
  used integer NOT NULL,
  granted integer NOT NULL,
  CONSTRAINT email_budgets_pkey PRIMARY KEY (organization_id, kind),
  CONSTRAINT email_budgets_kind_check CHECK ((kind = ANY (ARRAY['message'::text, 'test'::text]))),
  CONSTRAINT email_budgets_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);

CREATE TABLE epss_scores (
  organization_id bigint NOT NULL DEFAULT 1,
  cve text NOT NULL,
  score double precision NOT NULL,
  percentile double precision NOT NULL,
  CONSTRAINT epss_scores_pkey PRIMARY KEY (organization_id, cve),
  CONSTRAINT epss_scores_organization_id_check CHECK ((organization_id = 1)),
  CONSTRAINT epss_scores_percentile_check
    CHECK (((percentile >= (0)::double precision) AND (percentile <= (1)::double precision))),
  CONSTRAINT epss_scores_score_check
    CHECK (((score >= (0)::double precision) AND (score <= (1)::double precision))),
  CONSTRAINT epss_scores_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
) WITH (fillfactor=50);

CREATE TABLE exposures (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  scrape_job_id bigint NOT NULL,
  version text NOT NULL,
  commit_sha text,
  source text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT exposures_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT exposures_source_check
    CHECK ((source = ANY (ARRAY['git'::text, 'http'::text, 'prometheus'::text, 'discovery'::text,
    'manual'::text]))),
  CONSTRAINT exposures_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX exposures_by_end ON exposures
  USING btree (organization_id, ended_at, id)
  WHERE (ended_at IS NOT NULL);
CREATE INDEX exposures_by_scrape_job ON exposures
  USING btree (organization_id, scrape_job_id, first_seen_at, id)
  INCLUDE (version, ended_at);
CREATE INDEX exposures_by_version ON exposures USING btree (organization_id, version, first_seen_at, id);
CREATE INDEX exposures_current ON exposures
  USING btree (organization_id, first_seen_at, id)
  WHERE (ended_at IS NULL);
CREATE INDEX exposures_newest ON exposures USING btree (organization_id, first_seen_at, id);

CREATE TABLE feedback (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  actor_type text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  message text NOT NULL,
  category text,
  page text,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT feedback_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT feedback_category_check
    CHECK ((category = ANY (ARRAY['bug'::text, 'idea'::text, 'other'::text]))),
  CONSTRAINT feedback_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);

CREATE TABLE former_software (
  organization_id bigint NOT NULL,
  scrape_job_id bigint NOT NULL,
  gather_job_id bigint NOT NULL,
  CONSTRAINT former_software_pkey PRIMARY KEY (organization_id, gather_job_id, scrape_job_id),
  CONSTRAINT former_software_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX former_software_by_scrape_job ON former_software USING btree (organization_id, scrape_job_id);

CREATE TABLE freshness_points (
  organization_id bigint NOT NULL,
  "grouping" text NOT NULL,
  group_key text NOT NULL DEFAULT ''::text,
  group_value text NOT NULL DEFAULT ''::text,
  day date NOT NULL,
  things integer NOT NULL,
  unknown integer NOT NULL,
  estimated integer NOT NULL,
  targeted integer NOT NULL,
  within_target integer NOT NULL,
  libyears double precision[] NOT NULL,
  exposure_days double precision[] NOT NULL,
  majors double precision[] NOT NULL,
  minors double precision[] NOT NULL,
  releases double precision[] NOT NULL,
  CONSTRAINT freshness_points_pkey PRIMARY KEY (organization_id, "grouping", group_key, group_value, day),
  CONSTRAINT freshness_points_grouping_check
    CHECK (("grouping" = ANY (ARRAY['all'::text, 'label'::text, 'target'::text]))),
  CONSTRAINT freshness_points_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX freshness_points_by_day ON freshness_points USING btree (organization_id, day);

CREATE TABLE freshness_states (
  organization_id bigint NOT NULL,
  basis text,
  label_keys jsonb,
  through_day date,
  known_from date,
  filled_at timestamptz,
  measured_at timestamptz,
  reported_month date,
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  requested_seq bigint NOT NULL DEFAULT 1,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT freshness_states_pkey PRIMARY KEY (organization_id),
  CONSTRAINT freshness_states_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX freshness_states_due ON freshness_states
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);

CREATE TABLE freshness_targets (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  label_matchers jsonb NOT NULL DEFAULT '[]'::jsonb,
  metric text NOT NULL,
  max_value double precision NOT NULL,
  goal_percent integer NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  known integer,
  unknown integer,
  out_of_target integer,
  forecast_30d integer,
  met_since timestamptz,
  reported text,
  differs_since timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT freshness_targets_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT freshness_targets_metric_check
    CHECK ((metric = ANY (ARRAY['libyears'::text, 'exposure_days'::text, 'majors'::text, 'minors'::text]))),
  CONSTRAINT freshness_targets_reported_check CHECK ((reported = ANY (ARRAY['met'::text, 'missed'::text]))),
  CONSTRAINT freshness_targets_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX freshness_targets_newest ON freshness_targets USING btree (organization_id, created_at, id);
CREATE TRIGGER freshness_targets_raise_revision
  BEFORE UPDATE OF name, label_matchers, metric, max_value, goal_percent, is_active ON freshness_targets
  FOR EACH ROW WHEN (((((((old.name IS DISTINCT FROM new.name) OR (old.label_matchers IS DISTINCT FROM
  new.label_matchers)) OR (old.metric IS DISTINCT FROM new.metric)) OR (old.max_value IS DISTINCT FROM
  new.max_value)) OR (old.goal_percent IS DISTINCT FROM new.goal_percent)) OR (old.is_active IS DISTINCT FROM
  new.is_active)))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE freshness_things (
  organization_id bigint NOT NULL,
  alert_config_id bigint NOT NULL,
  fingerprint text NOT NULL,
  filled_labels jsonb,
  deployed_version text NOT NULL,
  latest_version text,
  libyears double precision,
  exposed_since timestamptz,
  majors integer,
  minors integer,
  releases integer,
  is_known boolean NOT NULL,
  is_estimate boolean NOT NULL,
  is_lower_bound boolean NOT NULL DEFAULT false,
  is_within_target boolean,
  CONSTRAINT freshness_things_pkey PRIMARY KEY (organization_id, alert_config_id),
  CONSTRAINT freshness_things_organization_id_alert_config_id_fkey
    FOREIGN KEY (organization_id, alert_config_id)
    REFERENCES alert_configs(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX freshness_things_by_exposure ON freshness_things
  USING btree (organization_id, exposed_since, alert_config_id);
CREATE INDEX freshness_things_by_libyears ON freshness_things
  USING btree (organization_id, libyears DESC NULLS LAST, alert_config_id DESC);
CREATE INDEX freshness_things_by_majors ON freshness_things
  USING btree (organization_id, majors DESC NULLS LAST, alert_config_id DESC);
CREATE INDEX freshness_things_by_minors ON freshness_things
  USING btree (organization_id, minors DESC NULLS LAST, alert_config_id DESC);
CREATE INDEX freshness_things_by_releases ON freshness_things
  USING btree (organization_id, releases DESC NULLS LAST, alert_config_id DESC);
CREATE INDEX freshness_things_by_target ON freshness_things
  USING btree (organization_id, is_within_target, libyears DESC NULLS LAST, alert_config_id DESC)
  WHERE (is_within_target IS NOT NULL);

CREATE TABLE gather_jobs (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  source_type text NOT NULL,
  artifact_name text NOT NULL,
  source_options jsonb NOT NULL DEFAULT '{}'::jsonb,
  version_scheme text NOT NULL,
  version_pattern text,
  include_prereleases boolean NOT NULL DEFAULT true,
  max_releases integer,
  ignored_versions text[] NOT NULL DEFAULT '{}'::text[],
  counted_versions text[] NOT NULL DEFAULT '{}'::text[],
  counted_since timestamptz[] NOT NULL DEFAULT '{}'::timestamptz[],
  purls text[] NOT NULL DEFAULT '{}'::text[],
  purls_source text NOT NULL DEFAULT 'derived'::text,
  project_url text,
  project_url_source text,
  mirror_of text,
  version_of text NOT NULL DEFAULT 'artifact'::text,
  lifecycle_product text,
  vulnerability_packages text[],
  changelog_path text,
  credential_name text,
  cron_expression text,
  cron_timezone text NOT NULL DEFAULT 'UTC'::text,
  is_active boolean NOT NULL DEFAULT true,
  helm_sync_job_id bigint,
  discovery_job_id bigint,
  scrape_job_id bigint,
  validators jsonb,
  last_full_at timestamptz,
  list_completeness text,
  list_incomplete_since timestamptz,
  dates_due_at timestamptz,
  is_archived boolean,
  archived_checked_at timestamptz,
  is_deprecated boolean,
  rebuild_count integer NOT NULL DEFAULT 0,
  last_rebuilt_at timestamptz,
  version_reading smallint NOT NULL DEFAULT 1,
  version_reading_after text,
  platform_words text NOT NULL DEFAULT ''::text,
  releases_revision bigint NOT NULL DEFAULT 0,
  release_count integer NOT NULL DEFAULT 0,
  stable_count integer NOT NULL DEFAULT 0,
  latest_version text,
  latest_stable_version text,
  latest_released_at timestamptz,
  first_released_at timestamptz,
  last_success_at timestamptz,
  last_outcome text NOT NULL DEFAULT 'none'::text,
  last_outcome_at timestamptz,
  failing_since timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity'::timestamptz,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  counted_in_run_id bigint,
  counted_checks integer NOT NULL DEFAULT 0,
  last_counted_run_id bigint,
  last_counted_at timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT gather_jobs_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT gather_jobs_check CHECK ((cardinality(counted_versions) = cardinality(counted_since))),
  CONSTRAINT gather_jobs_check1 CHECK (((project_url IS NULL) = (project_url_source IS NULL))),
  CONSTRAINT gather_jobs_check2
    CHECK (((version_of = 'artifact'::text) OR (source_type = 'helm_repository'::text))),
  CONSTRAINT gather_jobs_check3
    CHECK ((num_nonnulls(counted_in_run_id, last_counted_run_id, last_counted_at) = CASE counted_checks WHEN 0
    THEN 0 ELSE 3 END)),
  CONSTRAINT gather_jobs_last_outcome_check
    CHECK ((last_outcome = ANY (ARRAY['none'::text, 'succeeded'::text, 'failed'::text]))),
  CONSTRAINT gather_jobs_lifecycle_check
    CHECK (((source_type <> 'lifecycle'::text) OR ((NOT (lifecycle_product IS DISTINCT FROM artifact_name))
    AND (lifecycle_product <> 'none'::text) AND (version_pattern IS NULL) AND (max_releases IS NULL) AND
    (credential_name IS NULL) AND (cron_expression IS NULL) AND (helm_sync_job_id IS NULL) AND (changelog_path
    IS NULL) AND (release_count = 0) AND (due_at = 'infinity'::timestamptz)))),
  CONSTRAINT gather_jobs_list_completeness_check
    CHECK ((list_completeness = ANY (ARRAY['complete'::text, 'complete_at_top'::text, 'incomplete'::text]))),
  CONSTRAINT gather_jobs_project_url_source_check
    CHECK ((project_url_source = ANY (ARRAY['set'::text, 'source'::text, 'annotation'::text, 'label'::text,
    'chart'::text, 'catalog'::text]))),
  CONSTRAINT gather_jobs_purls_check CHECK ((cardinality(purls) <= 20)),
  CONSTRAINT gather_jobs_purls_source_check
    CHECK ((purls_source = ANY (ARRAY['derived'::text, 'set'::text]))),
  CONSTRAINT gather_jobs_version_of_check
    CHECK ((version_of = ANY (ARRAY['artifact'::text, 'application'::text]))),
  CONSTRAINT gather_jobs_version_scheme_check
    CHECK ((version_scheme = ANY (ARRAY['auto'::text, 'semver'::text, 'odd_minor'::text, 'minor_90'::text,
    'patch_99'::text, 'ceph'::text]))),
  CONSTRAINT gather_jobs_organization_id_discovery_job_id_fkey
    FOREIGN KEY (organization_id, discovery_job_id)
    REFERENCES discovery_jobs(organization_id, id) ON DELETE SET NULL (discovery_job_id),
  CONSTRAINT gather_jobs_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT gather_jobs_organization_id_helm_sync_job_id_fkey
    FOREIGN KEY (organization_id, helm_sync_job_id)
    REFERENCES helm_sync_jobs(organization_id, id),
  CONSTRAINT gather_jobs_scrape_job_id_fkey
    FOREIGN KEY (organization_id, scrape_job_id)
    REFERENCES scrape_jobs(organization_id, id)
) WITH (fillfactor=85, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX gather_jobs_by_address ON gather_jobs
  USING btree (organization_id, repository_address(artifact_name));
CREATE INDEX gather_jobs_by_artifact ON gather_jobs USING btree (organization_id, artifact_name);
CREATE INDEX gather_jobs_by_chart ON gather_jobs
  USING btree (organization_id, split_part(artifact_name, '/'::text, '-1'::integer))
  WHERE (source_type = 'helm_repository'::text);
CREATE INDEX gather_jobs_by_discovery_job ON gather_jobs
  USING btree (organization_id, discovery_job_id)
  WHERE (discovery_job_id IS NOT NULL);
CREATE INDEX gather_jobs_by_helm_sync_job ON gather_jobs USING btree (organization_id, helm_sync_job_id);
CREATE INDEX gather_jobs_by_name ON gather_jobs USING btree (organization_id, lower(name), id);
CREATE INDEX gather_jobs_by_original ON gather_jobs
  USING btree (organization_id, repository_address(mirror_of), id)
  WHERE (mirror_of IS NOT NULL);
CREATE INDEX gather_jobs_by_outcome ON gather_jobs
  USING btree (organization_id, last_outcome, created_at, id)
  WHERE (helm_sync_job_id IS NULL);
CREATE INDEX gather_jobs_by_purl ON gather_jobs USING gin (purls);
CREATE INDEX gather_jobs_by_scrape_job ON gather_jobs
  USING btree (organization_id, scrape_job_id)
  WHERE (scrape_job_id IS NOT NULL);
CREATE INDEX gather_jobs_by_source ON gather_jobs USING btree (organization_id, source_type, created_at, id);
CREATE INDEX gather_jobs_by_success ON gather_jobs
  USING btree (GREATEST(COALESCE(last_success_at, created_at), updated_at))
  WHERE (is_active AND (cron_expression IS NOT NULL) AND (failing_since IS NULL));
CREATE INDEX gather_jobs_by_version_reading ON gather_jobs
  USING btree (version_reading, organization_id, id);
CREATE INDEX gather_jobs_due ON gather_jobs
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);
CREATE INDEX gather_jobs_failed ON gather_jobs
  USING btree (organization_id, last_outcome_at DESC, id)
  WHERE (last_outcome = 'failed'::text);
CREATE INDEX gather_jobs_in_turn ON gather_jobs
  USING btree (organization_id, due_at)
  WHERE (due_at <> 'infinity'::timestamptz);
CREATE INDEX gather_jobs_inactive ON gather_jobs
  USING btree (organization_id, created_at, id)
  WHERE (NOT is_active);
CREATE INDEX gather_jobs_newest ON gather_jobs
  USING btree (organization_id, created_at, id)
  INCLUDE (is_active);
CREATE TRIGGER gather_jobs_count_added
  AFTER INSERT ON gather_jobs
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_jobs('gather');
CREATE TRIGGER gather_jobs_count_changed
  AFTER UPDATE OF is_active ON gather_jobs
  FOR EACH ROW WHEN ((old.is_active <> new.is_active))
  EXECUTE FUNCTION count_jobs('gather');
CREATE TRIGGER gather_jobs_count_failed_added
  AFTER INSERT ON gather_jobs
  FOR EACH ROW WHEN ((new.is_active AND (new.last_outcome = 'failed'::text)))
  EXECUTE FUNCTION count_failed_jobs('gather');
CREATE TRIGGER gather_jobs_count_failed_changed
  AFTER UPDATE OF is_active, last_outcome ON gather_jobs
  FOR EACH ROW WHEN (((old.is_active AND (old.last_outcome = 'failed'::text)) <> (new.is_active AND
  (new.last_outcome = 'failed'::text))))
  EXECUTE FUNCTION count_failed_jobs('gather');
CREATE TRIGGER gather_jobs_count_failed_removed
  AFTER DELETE ON gather_jobs
  FOR EACH ROW WHEN ((old.is_active AND (old.last_outcome = 'failed'::text)))
  EXECUTE FUNCTION count_failed_jobs('gather');
CREATE TRIGGER gather_jobs_count_removed
  AFTER DELETE ON gather_jobs
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_jobs('gather');
CREATE TRIGGER gather_jobs_raise_revision
  BEFORE UPDATE OF name, source_type, artifact_name, source_options, version_scheme, version_pattern,
  include_prereleases, max_releases, ignored_versions, counted_versions, purls, purls_source, project_url,
  project_url_source, version_of, lifecycle_product, vulnerability_packages, changelog_path, credential_name,
  cron_expression, cron_timezone, is_active ON gather_jobs
  FOR EACH ROW WHEN (((((((((((((((((((((old.name IS DISTINCT FROM new.name) OR (old.source_type IS DISTINCT
  FROM new.source_type)) OR (old.artifact_name IS DISTINCT FROM new.artifact_name)) OR (old.source_options IS
  DISTINCT FROM new.source_options)) OR (old.version_scheme IS DISTINCT FROM new.version_scheme)) OR
  (old.version_pattern IS DISTINCT FROM new.version_pattern)) OR (old.include_prereleases IS DISTINCT FROM
  new.include_prereleases)) OR (old.max_releases IS DISTINCT FROM new.max_releases)) OR (old.ignored_versions
  IS DISTINCT FROM new.ignored_versions)) OR (old.counted_versions IS DISTINCT FROM new.counted_versions)) OR
  ( CASE WHEN (old.purls_source = 'set'::text) THEN old.purls ELSE NULL::text[] END IS DISTINCT FROM CASE WHEN
  (new.purls_source = 'set'::text) THEN new.purls ELSE NULL::text[] END)) OR ( CASE WHEN
  (old.project_url_source = 'set'::text) THEN old.project_url ELSE NULL::text END IS DISTINCT FROM CASE WHEN
  (new.project_url_source = 'set'::text) THEN new.project_url ELSE NULL::text END)) OR (old.version_of IS
  DISTINCT FROM new.version_of)) OR (old.lifecycle_product IS DISTINCT FROM new.lifecycle_product)) OR
  (old.vulnerability_packages IS DISTINCT FROM new.vulnerability_packages)) OR (old.changelog_path IS DISTINCT
  FROM new.changelog_path)) OR (old.credential_name IS DISTINCT FROM new.credential_name)) OR
  (old.cron_expression IS DISTINCT FROM new.cron_expression)) OR (old.cron_timezone IS DISTINCT FROM
  new.cron_timezone)) OR (old.is_active IS DISTINCT FROM new.is_active)))
  EXECUTE FUNCTION raise_revision();
CREATE TRIGGER gather_jobs_upgrades_changed
  AFTER UPDATE OF name, artifact_name, version_scheme, platform_words ON gather_jobs
  FOR EACH ROW WHEN (((((old.name IS DISTINCT FROM new.name) OR (old.artifact_name IS DISTINCT FROM
  new.artifact_name)) OR (old.version_scheme IS DISTINCT FROM new.version_scheme)) OR (old.platform_words IS
  DISTINCT FROM new.platform_words)))
  EXECUTE FUNCTION count_upgrade_changes();

CREATE TABLE helm_charts (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  helm_sync_job_id bigint NOT NULL,
  name text NOT NULL,
  latest_version text NOT NULL,
  app_version text,
  description text,
  deprecated boolean NOT NULL DEFAULT false,
  version_count integer NOT NULL,
  gather_job_id bigint,
  last_seen_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT helm_charts_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT helm_charts_organization_id_helm_sync_job_id_name_key UNIQUE (organization_id,
    helm_sync_job_id, name),
  CONSTRAINT helm_charts_organization_id_gather_job_id_fkey
    FOREIGN KEY (organization_id, gather_job_id)
    REFERENCES gather_jobs(organization_id, id),
  CONSTRAINT helm_charts_organization_id_helm_sync_job_id_fkey
    FOREIGN KEY (organization_id, helm_sync_job_id)
    REFERENCES helm_sync_jobs(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX helm_charts_by_gather_job ON helm_charts USING btree (organization_id, gather_job_id);
CREATE INDEX helm_charts_by_name ON helm_charts USING btree (organization_id, name);

CREATE TABLE helm_sync_jobs (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  repository_url text NOT NULL,
  chart_filter text[],
  create_gather_jobs boolean NOT NULL DEFAULT true,
  credential_name text,
  cron_expression text,
  cron_timezone text NOT NULL DEFAULT 'UTC'::text,
  is_active boolean NOT NULL DEFAULT true,
  validators jsonb,
  chart_count integer NOT NULL DEFAULT 0,
  discovery_job_id bigint,
  charts_listed_at timestamptz,
  last_success_at timestamptz,
  last_outcome text NOT NULL DEFAULT 'none'::text,
  last_outcome_at timestamptz,
  failing_since timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity'::timestamptz,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  counted_in_run_id bigint,
  counted_checks integer NOT NULL DEFAULT 0,
  last_counted_run_id bigint,
  last_counted_at timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT helm_sync_jobs_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT helm_sync_jobs_check
    CHECK ((num_nonnulls(counted_in_run_id, last_counted_run_id, last_counted_at) = CASE counted_checks WHEN 0
    THEN 0 ELSE 3 END)),
  CONSTRAINT helm_sync_jobs_last_outcome_check
    CHECK ((last_outcome = ANY (ARRAY['none'::text, 'succeeded'::text, 'failed'::text]))),
  CONSTRAINT helm_sync_jobs_organization_id_discovery_job_id_fkey
    FOREIGN KEY (organization_id, discovery_job_id)
    REFERENCES discovery_jobs(organization_id, id) ON DELETE SET NULL (discovery_job_id),
  CONSTRAINT helm_sync_jobs_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
) WITH (fillfactor=85, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX helm_sync_jobs_by_discovery_job ON helm_sync_jobs
  USING btree (organization_id, discovery_job_id)
  WHERE (discovery_job_id IS NOT NULL);
CREATE INDEX helm_sync_jobs_by_success ON helm_sync_jobs
  USING btree (GREATEST(COALESCE(last_success_at, created_at), updated_at))
  WHERE (is_active AND (cron_expression IS NOT NULL) AND (failing_since IS NULL));
CREATE INDEX helm_sync_jobs_due ON helm_sync_jobs
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);
CREATE INDEX helm_sync_jobs_failed ON helm_sync_jobs
  USING btree (organization_id, last_outcome_at DESC, id)
  WHERE (last_outcome = 'failed'::text);
CREATE INDEX helm_sync_jobs_in_turn ON helm_sync_jobs
  USING btree (organization_id, due_at)
  WHERE (due_at <> 'infinity'::timestamptz);
CREATE INDEX helm_sync_jobs_newest ON helm_sync_jobs USING btree (organization_id, created_at, id);
CREATE TRIGGER helm_sync_jobs_count_added
  AFTER INSERT ON helm_sync_jobs
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_jobs('helm_sync');
CREATE TRIGGER helm_sync_jobs_count_changed
  AFTER UPDATE OF is_active ON helm_sync_jobs
  FOR EACH ROW WHEN ((old.is_active <> new.is_active))
  EXECUTE FUNCTION count_jobs('helm_sync');
CREATE TRIGGER helm_sync_jobs_count_failed_added
  AFTER INSERT ON helm_sync_jobs
  FOR EACH ROW WHEN ((new.is_active AND (new.last_outcome = 'failed'::text)))
  EXECUTE FUNCTION count_failed_jobs('helm_sync');
CREATE TRIGGER helm_sync_jobs_count_failed_changed
  AFTER UPDATE OF is_active, last_outcome ON helm_sync_jobs
  FOR EACH ROW WHEN (((old.is_active AND (old.last_outcome = 'failed'::text)) <> (new.is_active AND
  (new.last_outcome = 'failed'::text))))
  EXECUTE FUNCTION count_failed_jobs('helm_sync');
CREATE TRIGGER helm_sync_jobs_count_failed_removed
  AFTER DELETE ON helm_sync_jobs
  FOR EACH ROW WHEN ((old.is_active AND (old.last_outcome = 'failed'::text)))
  EXECUTE FUNCTION count_failed_jobs('helm_sync');
CREATE TRIGGER helm_sync_jobs_count_removed
  AFTER DELETE ON helm_sync_jobs
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_jobs('helm_sync');
CREATE TRIGGER helm_sync_jobs_raise_revision
  BEFORE UPDATE OF name, repository_url, chart_filter, create_gather_jobs, credential_name, cron_expression,
  cron_timezone, is_active ON helm_sync_jobs
  FOR EACH ROW WHEN (((((((((old.name IS DISTINCT FROM new.name) OR (old.repository_url IS DISTINCT FROM
  new.repository_url)) OR (old.chart_filter IS DISTINCT FROM new.chart_filter)) OR (old.create_gather_jobs IS
  DISTINCT FROM new.create_gather_jobs)) OR (old.credential_name IS DISTINCT FROM new.credential_name)) OR
  (old.cron_expression IS DISTINCT FROM new.cron_expression)) OR (old.cron_timezone IS DISTINCT FROM
  new.cron_timezone)) OR (old.is_active IS DISTINCT FROM new.is_active)))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE hook_deliveries (
  organization_id bigint NOT NULL,
  hook_id bigint NOT NULL,
  key bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT hook_deliveries_pkey PRIMARY KEY (organization_id, hook_id, key),
  CONSTRAINT hook_deliveries_organization_id_hook_id_fkey
    FOREIGN KEY (organization_id, hook_id)
    REFERENCES hooks(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX hook_deliveries_by_age ON hook_deliveries USING btree (received_at);

CREATE TABLE hooked_jobs (
  organization_id bigint NOT NULL,
  kind text NOT NULL,
  job_id bigint NOT NULL,
  last_run_at timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity'::timestamptz,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT hooked_jobs_pkey PRIMARY KEY (organization_id, kind, job_id),
  CONSTRAINT hooked_jobs_kind_check
    CHECK ((kind = ANY (ARRAY['gather'::text, 'scrape'::text, 'discovery'::text]))),
  CONSTRAINT hooked_jobs_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX hooked_jobs_due ON hooked_jobs
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);
CREATE INDEX hooked_jobs_in_turn ON hooked_jobs
  USING btree (organization_id, due_at)
  WHERE (due_at <> 'infinity'::timestamptz);

CREATE TABLE hooks (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  public_id text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  secret_sealed bytea,
  last_received_at timestamptz,
  last_event_jobs integer,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT hooks_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT hooks_public_id_key UNIQUE (public_id),
  CONSTRAINT hooks_kind_check
    CHECK ((kind = ANY (ARRAY['github'::text, 'gitlab'::text, 'gitea'::text, 'bitbucket'::text,
    'azure_devops'::text, 'generic'::text, 'registry'::text, 'docker_hub'::text, 'harbor'::text,
    'quay'::text]))),
  CONSTRAINT hooks_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX hooks_newest ON hooks USING btree (organization_id, created_at, id);

CREATE TABLE housekeeping_tasks (
  name text NOT NULL,
  state jsonb NOT NULL DEFAULT '{}'::jsonb,
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT housekeeping_tasks_pkey PRIMARY KEY (name)
);
CREATE INDEX housekeeping_tasks_due ON housekeeping_tasks
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);

CREATE TABLE idempotency_keys (
  organization_id bigint NOT NULL,
  credential text NOT NULL,
  key_hash bytea NOT NULL,
  request_hash bytea NOT NULL,
  request_id text NOT NULL,
  status smallint,
  resource_id bigint,
  has_effect boolean NOT NULL DEFAULT false,
  lease_token uuid NOT NULL,
  lease_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, credential, key_hash),
  CONSTRAINT idempotency_keys_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);

CREATE TABLE installation (
  is_only boolean NOT NULL DEFAULT true,
  secret_key_fingerprint text NOT NULL,
  incident_host text,
  database_identity text,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT installation_pkey PRIMARY KEY (is_only),
  CONSTRAINT installation_is_only_check CHECK (is_only)
);

CREATE TABLE invitations (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  email text NOT NULL,
  role text NOT NULL,
  token_hash bytea NOT NULL,
  invited_by_user_id bigint,
  is_from_operator boolean NOT NULL DEFAULT false,
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT invitations_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT invitations_token_hash_key UNIQUE (token_hash),
  CONSTRAINT invitations_email_check CHECK ((email = lower(email))),
  CONSTRAINT invitations_organization_id_check CHECK ((organization_id <> 1)),
  CONSTRAINT invitations_role_check
    CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'admin'::text, 'owner'::text]))),
  CONSTRAINT invitations_invited_by_user_id_fkey
    FOREIGN KEY (invited_by_user_id)
    REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT invitations_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX invitations_by_inviter ON invitations USING btree (organization_id, invited_by_user_id);

CREATE TABLE known_exploited_vulnerabilities (
  organization_id bigint NOT NULL DEFAULT 1,
  cve text NOT NULL,
  added_on date NOT NULL,
  CONSTRAINT known_exploited_vulnerabilities_pkey PRIMARY KEY (organization_id, cve),
  CONSTRAINT known_exploited_vulnerabilities_organization_id_check CHECK ((organization_id = 1)),
  CONSTRAINT known_exploited_vulnerabilities_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);

CREATE TABLE label_changes (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  labels jsonb NOT NULL,
  open_alerts integer NOT NULL DEFAULT 0,
  resolved_alerts integer NOT NULL DEFAULT 0,
  alert_configs integer NOT NULL DEFAULT 0,
  CONSTRAINT label_changes_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT label_changes_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);

CREATE TABLE labeled_configs (
  organization_id bigint NOT NULL,
  label text COLLATE "C" NOT NULL,
  alert_config_id bigint NOT NULL,
  scrape_job_id bigint NOT NULL,
  CONSTRAINT labeled_configs_pkey PRIMARY KEY (organization_id, label, alert_config_id)
    INCLUDE (scrape_job_id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);

CREATE TABLE lifecycle_products (
  organization_id bigint NOT NULL DEFAULT 1,
  name text NOT NULL,
  label text NOT NULL,
  purls text[] NOT NULL,
  catalog_keys text[] NOT NULL,
  fingerprint text NOT NULL,
  CONSTRAINT lifecycle_products_pkey PRIMARY KEY (organization_id, name),
  CONSTRAINT lifecycle_products_organization_id_check CHECK ((organization_id = 1)),
  CONSTRAINT lifecycle_products_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX lifecycle_products_by_purl ON lifecycle_products USING gin (((purls || catalog_keys)));

CREATE TABLE lifecycle_releases (
  organization_id bigint NOT NULL DEFAULT 1,
  product_name text NOT NULL,
  "position" integer NOT NULL,
  name text NOT NULL,
  is_lts boolean NOT NULL,
  released_on text,
  latest_version text,
  active_support text,
  end_of_life text,
  extended_support text,
  CONSTRAINT lifecycle_releases_pkey PRIMARY KEY (organization_id, product_name, "position"),
  CONSTRAINT lifecycle_releases_organization_id_check CHECK ((organization_id = 1)),
  CONSTRAINT lifecycle_releases_organization_id_product_name_fkey
    FOREIGN KEY (organization_id, product_name)
    REFERENCES lifecycle_products(organization_id, name) ON DELETE CASCADE
);

CREATE TABLE limited_sessions (
  family_id uuid NOT NULL,
  identity_id bigint,
  provider_session_id text,
  provider_family_id uuid,
  refresh_token bytea,
  checked_at timestamptz,
  checking_until timestamptz,
  ends_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT limited_sessions_pkey PRIMARY KEY (family_id),
  CONSTRAINT limited_sessions_identity_id_fkey
    FOREIGN KEY (identity_id)
    REFERENCES user_identities(id) ON DELETE CASCADE
);
CREATE INDEX limited_sessions_by_identity ON limited_sessions USING btree (identity_id);
CREATE INDEX limited_sessions_by_provider_family ON limited_sessions
  USING btree (provider_family_id)
  WHERE (provider_family_id IS NOT NULL);

CREATE TABLE login_links (
  token_hash bytea NOT NULL,
  user_id bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT login_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT login_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX login_links_by_user ON login_links USING btree (user_id);

CREATE TABLE memberships (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id bigint NOT NULL,
  role text NOT NULL,
  granted_by_identity_id bigint,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT memberships_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT memberships_organization_id_user_id_key UNIQUE (organization_id, user_id),
  CONSTRAINT memberships_organization_id_check CHECK ((organization_id <> 1)),
  CONSTRAINT memberships_role_check
    CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'admin'::text, 'owner'::text]))),
  CONSTRAINT memberships_granted_by_identity_id_fkey
    FOREIGN KEY (granted_by_identity_id)
    REFERENCES user_identities(id),
  CONSTRAINT memberships_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX memberships_by_identity ON memberships
  USING btree (granted_by_identity_id)
  WHERE (granted_by_identity_id IS NOT NULL);
CREATE INDEX memberships_by_user ON memberships USING btree (user_id);
CREATE TRIGGER memberships_raise_revision
  BEFORE UPDATE OF role ON memberships
  FOR EACH ROW WHEN ((old.role IS DISTINCT FROM new.role))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE notification_channels (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  channel_type text NOT NULL DEFAULT 'webhook'::text,
  url_sealed bytea NOT NULL,
  url_masked text NOT NULL,
  recipients text[] NOT NULL DEFAULT '{}'::text[],
  project text,
  issue_type text,
  account_email text,
  ticket_labels text[] NOT NULL DEFAULT '{}'::text[],
  tracker_sealed bytea,
  preset text NOT NULL DEFAULT 'generic'::text,
  preset_options_sealed bytea,
  template text,
  templates jsonb NOT NULL DEFAULT '{}'::jsonb,
  success_condition jsonb,
  request_method text NOT NULL DEFAULT 'POST'::text,
  body_format text NOT NULL DEFAULT 'json'::text,
  closing_path_sealed bytea,
  closing_method text NOT NULL DEFAULT 'POST'::text,
  headers_sealed bytea,
  header_names text[] NOT NULL DEFAULT '{}'::text[],
  signing_secret_sealed bytea,
  previous_signing_secret_sealed bytea,
  previous_signing_secret_until timestamptz,
  interactivity_id text,
  digest_minutes integer,
  digest_schedule text,
  sending_hours jsonb NOT NULL DEFAULT '[]'::jsonb,
  timezone text NOT NULL DEFAULT 'UTC'::text,
  always_for text[] NOT NULL DEFAULT '{critical}'::text[],
  held_until timestamptz,
  owners text[] NOT NULL DEFAULT '{}'::text[],
  require_login_to_acknowledge boolean NOT NULL DEFAULT true,
  is_active boolean NOT NULL DEFAULT true,
  inactive_reason text,
  consecutive_failures integer NOT NULL DEFAULT 0,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  failing_since timestamptz,
  failing_notified_at timestamptz,
  last_dead_letter_at timestamptz,
  dead_letters_notified_at timestamptz,
  last_duration_ms integer,
  probe_count integer NOT NULL DEFAULT 0,
  next_send_at timestamptz,
  send_interval_ms integer NOT NULL DEFAULT 0,
  send_interval_floor_ms integer NOT NULL DEFAULT 0,
  rate_limited_at timestamptz,
  accepted_since timestamptz,
  accepted_count integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT 'infinity'::timestamptz,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT notification_channels_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT notification_channels_digest_check
    CHECK (((digest_minutes IS NULL) OR (digest_schedule IS NULL))),
  CONSTRAINT notification_channels_digest_minutes_check
    CHECK (((digest_minutes >= 1) AND (digest_minutes <= 1440))),
  CONSTRAINT notification_channels_recipients_check
    CHECK (((channel_type = 'email'::text) = (cardinality(recipients) > 0))),
  CONSTRAINT notification_channels_tracker_check
    CHECK ((((channel_type = ANY (ARRAY['github_issues'::text, 'gitlab_issues'::text, 'jira'::text])) =
    (project IS NOT NULL)) AND ((project IS NULL) = (tracker_sealed IS NULL)))),
  CONSTRAINT notification_channels_type_check
    CHECK ((channel_type = ANY (ARRAY['webhook'::text, 'email'::text, 'github_issues'::text,
    'gitlab_issues'::text, 'jira'::text]))),
  CONSTRAINT notification_channels_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
) WITH (fillfactor=75, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE UNIQUE INDEX notification_channels_by_interactivity ON notification_channels
  USING btree (interactivity_id)
  WHERE (interactivity_id IS NOT NULL);
CREATE INDEX notification_channels_by_name ON notification_channels
  USING btree (organization_id, lower(name), id);
CREATE INDEX notification_channels_cdevents ON notification_channels
  USING btree (organization_id)
  WHERE ((preset = 'cdevents'::text) AND is_active);
CREATE INDEX notification_channels_dead_letters ON notification_channels
  USING btree (last_dead_letter_at)
  WHERE (last_dead_letter_at IS NOT NULL);
CREATE INDEX notification_channels_due ON notification_channels
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);
CREATE INDEX notification_channels_failing ON notification_channels
  USING btree (failing_since)
  WHERE ((failing_since IS NOT NULL) AND (failing_notified_at IS NULL));
CREATE INDEX notification_channels_in_turn ON notification_channels
  USING btree (organization_id, due_at)
  WHERE (due_at <> 'infinity'::timestamptz);
CREATE INDEX notification_channels_newest ON notification_channels
  USING btree (organization_id, created_at, id);
CREATE TRIGGER notification_channels_raise_revision
  BEFORE UPDATE OF name, url_masked, recipients, project, issue_type, account_email, ticket_labels, preset,
  template, templates, success_condition, request_method, body_format, closing_method, header_names,
  digest_minutes, digest_schedule, sending_hours, timezone, always_for, owners, require_login_to_acknowledge,
  is_active ON notification_channels
  FOR EACH ROW WHEN ((((((((((((((((((((((((old.name IS DISTINCT FROM new.name) OR (old.url_masked IS DISTINCT
  FROM new.url_masked)) OR (old.recipients IS DISTINCT FROM new.recipients)) OR (old.project IS DISTINCT FROM
  new.project)) OR (old.issue_type IS DISTINCT FROM new.issue_type)) OR (old.account_email IS DISTINCT FROM
  new.account_email)) OR (old.ticket_labels IS DISTINCT FROM new.ticket_labels)) OR (old.preset IS DISTINCT
  FROM new.preset)) OR (old.template IS DISTINCT FROM new.template)) OR (old.templates IS DISTINCT FROM
  new.templates)) OR (old.success_condition IS DISTINCT FROM new.success_condition)) OR (old.request_method IS
  DISTINCT FROM new.request_method)) OR (old.body_format IS DISTINCT FROM new.body_format)) OR
  (old.closing_method IS DISTINCT FROM new.closing_method)) OR (old.header_names IS DISTINCT FROM
  new.header_names)) OR (old.digest_minutes IS DISTINCT FROM new.digest_minutes)) OR (old.digest_schedule IS
  DISTINCT FROM new.digest_schedule)) OR (old.sending_hours IS DISTINCT FROM new.sending_hours)) OR
  (old.timezone IS DISTINCT FROM new.timezone)) OR (old.always_for IS DISTINCT FROM new.always_for)) OR
  (old.owners IS DISTINCT FROM new.owners)) OR (old.require_login_to_acknowledge IS DISTINCT FROM
  new.require_login_to_acknowledge)) OR (old.is_active IS DISTINCT FROM new.is_active)))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE notification_deliveries (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  channel_id bigint,
  channel_name text NOT NULL,
  fallback_reason text,
  alert_id bigint,
  audit_entry_id bigint NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  sequence integer,
  trouble text,
  digest_delivery_id bigint,
  status text NOT NULL DEFAULT 'pending'::text,
  attempt_count integer NOT NULL DEFAULT 0,
  series_attempt_count integer NOT NULL DEFAULT 0,
  series_started_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  max_attempts integer NOT NULL,
  next_attempt_at timestamptz,
  waits_for_channel boolean NOT NULL DEFAULT false,
  waits_for_cause text,
  waits_for_hours boolean NOT NULL DEFAULT false,
  waits_for_limit boolean NOT NULL DEFAULT false,
  is_rate_limited boolean NOT NULL DEFAULT false,
  rate_limit_wait_ms bigint NOT NULL DEFAULT 0,
  was_brought_forward boolean NOT NULL DEFAULT false,
  last_attempt_at timestamptz,
  response_status integer,
  duration_ms integer,
  error_code text,
  error_message text,
  reason text,
  body_sealed bytea,
  body_target text,
  body_hidden integer[],
  used_template text,
  accepted_recipients text[] NOT NULL DEFAULT '{}'::text[],
  completed_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT notification_deliveries_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT notification_deliveries_organization_id_event_id_channel_id_key UNIQUE (organization_id,
    event_id, channel_id),
  CONSTRAINT notification_deliveries_status_check
    CHECK ((status = ANY (ARRAY['pending'::text, 'in_progress'::text, 'succeeded'::text, 'failed'::text,
    'dead_letter'::text, 'canceled'::text]))),
  CONSTRAINT notification_deliveries_organization_id_alert_id_fkey
    FOREIGN KEY (organization_id, alert_id)
    REFERENCES alerts(organization_id, id),
  CONSTRAINT notification_deliveries_organization_id_audit_entry_id_fkey
    FOREIGN KEY (organization_id, audit_entry_id)
    REFERENCES audit_entries(organization_id, id),
  CONSTRAINT notification_deliveries_organization_id_digest_delivery_id_fkey
    FOREIGN KEY (organization_id, digest_delivery_id)
    REFERENCES notification_deliveries(organization_id, id),
  CONSTRAINT notification_deliveries_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX notification_deliveries_by_alert ON notification_deliveries
  USING btree (organization_id, alert_id, id);
CREATE INDEX notification_deliveries_by_audit_entry ON notification_deliveries
  USING btree (organization_id, audit_entry_id);
CREATE INDEX notification_deliveries_by_channel ON notification_deliveries
  USING btree (organization_id, channel_id, created_at, id)
  INCLUDE (status, duration_ms, digest_delivery_id);
CREATE INDEX notification_deliveries_by_digest ON notification_deliveries
  USING btree (organization_id, digest_delivery_id)
  WHERE (digest_delivery_id IS NOT NULL);
CREATE INDEX notification_deliveries_by_event_type ON notification_deliveries
  USING btree (organization_id, event_type, created_at, id);
CREATE INDEX notification_deliveries_by_status ON notification_deliveries
  USING btree (organization_id, status, created_at, id);
CREATE INDEX notification_deliveries_newest ON notification_deliveries
  USING btree (organization_id, created_at, id);
CREATE INDEX notification_deliveries_open ON notification_deliveries
  USING btree (organization_id, channel_id, next_attempt_at, id)
  WHERE (status = ANY (ARRAY['pending'::text, 'failed'::text, 'in_progress'::text]));
CREATE INDEX notification_deliveries_open_by_alert ON notification_deliveries
  USING btree (organization_id, channel_id, alert_id, sequence)
  WHERE ((status = ANY (ARRAY['pending'::text, 'failed'::text, 'in_progress'::text])) AND (alert_id IS NOT
  NULL));
CREATE INDEX notification_deliveries_open_by_trouble ON notification_deliveries
  USING btree (organization_id, channel_id, trouble, id)
  WHERE ((status = ANY (ARRAY['pending'::text, 'failed'::text, 'in_progress'::text])) AND (trouble IS NOT
  NULL));
CREATE INDEX notification_deliveries_open_digests ON notification_deliveries
  USING btree (organization_id, channel_id)
  WHERE ((event_type = 'digest'::text) AND (status = ANY (ARRAY['pending'::text, 'failed'::text,
  'in_progress'::text])));
CREATE INDEX notification_deliveries_waiting_for_cause ON notification_deliveries
  USING btree (organization_id, waits_for_cause, channel_id, created_at)
  WHERE (waits_for_cause IS NOT NULL);
CREATE TRIGGER notification_deliveries_count_added
  AFTER INSERT ON notification_deliveries
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_delivery_hours();
CREATE TRIGGER notification_deliveries_count_changed
  AFTER UPDATE OF status, created_at ON notification_deliveries
  FOR EACH ROW WHEN ((delivery_hour(old.created_at, old.status) IS DISTINCT FROM delivery_hour(new.created_at,
  new.status)))
  EXECUTE FUNCTION count_delivery_hours();
CREATE TRIGGER notification_deliveries_count_removed
  AFTER DELETE ON notification_deliveries
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_delivery_hours();

CREATE TABLE notification_rule_matches (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  notification_rule_id bigint NOT NULL,
  event_id uuid NOT NULL,
  matched_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT notification_rule_matches_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT notification_rule_matches_organization_id_notification_rul_fkey
    FOREIGN KEY (organization_id, notification_rule_id)
    REFERENCES notification_rules(organization_id, id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX notification_rule_matches_by_event ON notification_rule_matches
  USING btree (organization_id, event_id);
CREATE INDEX notification_rule_matches_by_rule ON notification_rule_matches
  USING btree (organization_id, notification_rule_id, matched_at);

CREATE TABLE notification_rules (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  priority integer NOT NULL DEFAULT 100,
  severities text[] NOT NULL DEFAULT '{}'::text[],
  event_types text[] NOT NULL DEFAULT '{}'::text[],
  label_matchers jsonb NOT NULL DEFAULT '[]'::jsonb,
  rule_ids bigint[] NOT NULL DEFAULT '{}'::bigint[],
  alert_config_ids bigint[] NOT NULL DEFAULT '{}'::bigint[],
  channel_ids bigint[],
  route_to_owner boolean NOT NULL DEFAULT false,
  stop_processing boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  inactive_reason text,
  archived_match_count bigint NOT NULL DEFAULT 0,
  last_archived_match_at timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT notification_rules_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT notification_rules_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX notification_rules_by_priority ON notification_rules
  USING btree (organization_id, priority, id);
CREATE TRIGGER notification_rules_raise_revision
  BEFORE UPDATE OF name, description, priority, severities, event_types, label_matchers, rule_ids,
  alert_config_ids, channel_ids, route_to_owner, stop_processing, is_active ON notification_rules
  FOR EACH ROW WHEN (((((((((((((old.name IS DISTINCT FROM new.name) OR (old.description IS DISTINCT FROM
  new.description)) OR (old.priority IS DISTINCT FROM new.priority)) OR (old.severities IS DISTINCT FROM
  new.severities)) OR (old.event_types IS DISTINCT FROM new.event_types)) OR (old.label_matchers IS DISTINCT
  FROM new.label_matchers)) OR (old.rule_ids IS DISTINCT FROM new.rule_ids)) OR (old.alert_config_ids IS
  DISTINCT FROM new.alert_config_ids)) OR (old.channel_ids IS DISTINCT FROM new.channel_ids)) OR
  (old.route_to_owner IS DISTINCT FROM new.route_to_owner)) OR (old.stop_processing IS DISTINCT FROM
  new.stop_processing)) OR (old.is_active IS DISTINCT FROM new.is_active)))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE organizations (
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  name text NOT NULL,
  reading_changed_at timestamptz,
  platform_words_changed_at timestamptz,
  sign_on_failing_notified jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  sample_user_id bigint,
  CONSTRAINT organizations_pkey PRIMARY KEY (id),
  CONSTRAINT organizations_sample_user_id_key UNIQUE (sample_user_id),
  CONSTRAINT organizations_sample_user_id_fkey FOREIGN KEY (sample_user_id) REFERENCES users(id)
);
CREATE INDEX organizations_platform_words_changed ON organizations
  USING btree (id)
  WHERE (platform_words_changed_at IS NOT NULL);
CREATE INDEX organizations_reading_changed ON organizations
  USING btree (id)
  WHERE (reading_changed_at IS NOT NULL);

CREATE TABLE owner_mails (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  audit_entry_id bigint NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  accepted_recipients text[] NOT NULL DEFAULT '{}'::text[],
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  requested_seq bigint NOT NULL DEFAULT 1,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT owner_mails_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT owner_mails_organization_id_audit_entry_id_fkey
    FOREIGN KEY (organization_id, audit_entry_id)
    REFERENCES audit_entries(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT owner_mails_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX owner_mails_by_audit_entry ON owner_mails USING btree (organization_id, audit_entry_id);
CREATE INDEX owner_mails_due ON owner_mails
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);

CREATE TABLE package_fetches (
  organization_id bigint NOT NULL DEFAULT 1,
  package_key text NOT NULL,
  fetched_at timestamptz NOT NULL,
  CONSTRAINT package_fetches_pkey PRIMARY KEY (organization_id, package_key),
  CONSTRAINT package_fetches_organization_id_check CHECK ((organization_id = 1)),
  CONSTRAINT package_fetches_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);

CREATE TABLE password_resets (
  token_hash bytea NOT NULL,
  user_id bigint NOT NULL,
  organization_id bigint,
  issued_by_user_id bigint,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT password_resets_pkey PRIMARY KEY (token_hash),
  CONSTRAINT password_resets_issued_by_user_id_fkey
    FOREIGN KEY (issued_by_user_id)
    REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT password_resets_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX password_resets_by_issuer ON password_resets USING btree (organization_id, issued_by_user_id);
CREATE INDEX password_resets_by_user ON password_resets USING btree (user_id);

CREATE TABLE reading_gaps (
  organization_id bigint NOT NULL,
  scrape_job_id bigint NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  reason text NOT NULL,
  CONSTRAINT reading_gaps_pkey PRIMARY KEY (organization_id, scrape_job_id, started_at),
  CONSTRAINT reading_gaps_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX reading_gaps_by_end ON reading_gaps USING btree (organization_id, ended_at);

CREATE TABLE recovery_codes (
  user_id bigint NOT NULL,
  code_hash bytea NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_user_id_fkey
    FOREIGN KEY (user_id)
    REFERENCES second_factors(user_id) ON DELETE CASCADE
);

CREATE TABLE reference_sources (
  organization_id bigint NOT NULL DEFAULT 1,
  name text NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  url text,
  validators jsonb,
  as_of timestamptz,
  loaded_at timestamptz,
  last_success_at timestamptz,
  last_outcome text NOT NULL DEFAULT 'none'::text,
  last_outcome_at timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity'::timestamptz,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  counted_in_run_id bigint,
  counted_checks integer NOT NULL DEFAULT 0,
  last_counted_run_id bigint,
  last_counted_at timestamptz,
  CONSTRAINT reference_sources_pkey PRIMARY KEY (organization_id, name),
  CONSTRAINT reference_sources_by_id UNIQUE (organization_id, id),
  CONSTRAINT reference_sources_check CHECK (((as_of IS NULL) = (loaded_at IS NULL))),
  CONSTRAINT reference_sources_check1
    CHECK ((num_nonnulls(counted_in_run_id, last_counted_run_id, last_counted_at) = CASE counted_checks WHEN 0
    THEN 0 ELSE 3 END)),
  CONSTRAINT reference_sources_last_outcome_check
    CHECK ((last_outcome = ANY (ARRAY['none'::text, 'succeeded'::text, 'failed'::text]))),
  CONSTRAINT reference_sources_name_check
    CHECK ((name = ANY (ARRAY['end_of_life'::text, 'epss'::text, 'known_exploited'::text,
    'vulnerabilities'::text]))),
  CONSTRAINT reference_sources_organization_id_check CHECK ((organization_id = 1)),
  CONSTRAINT reference_sources_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);

CREATE TABLE refresh_tokens (
  token_hash bytea NOT NULL,
  family_id uuid NOT NULL,
  user_id bigint NOT NULL,
  organization_id bigint NOT NULL,
  session_id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  session_began_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  address text,
  user_agent text,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_hash),
  CONSTRAINT refresh_tokens_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT refresh_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens USING btree (expires_at);
CREATE INDEX refresh_tokens_by_family ON refresh_tokens USING btree (family_id);
CREATE INDEX refresh_tokens_by_user ON refresh_tokens USING btree (user_id);

CREATE TABLE release_fan_outs (
  organization_id bigint NOT NULL,
  gather_job_id bigint NOT NULL,
  cursor_organization_id bigint NOT NULL DEFAULT 0,
  cursor_alert_config_id bigint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT 'infinity'::timestamptz,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT release_fan_outs_pkey PRIMARY KEY (organization_id, gather_job_id),
  CONSTRAINT release_fan_outs_organization_id_gather_job_id_fkey
    FOREIGN KEY (organization_id, gather_job_id)
    REFERENCES gather_jobs(organization_id, id) ON DELETE CASCADE
) WITH (fillfactor=75, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX release_fan_outs_due ON release_fan_outs
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);
CREATE INDEX release_fan_outs_in_turn ON release_fan_outs
  USING btree (organization_id, due_at, gather_job_id)
  WHERE (due_at <> 'infinity'::timestamptz);

CREATE TABLE release_moves (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  gather_job_id bigint NOT NULL,
  artifact_name text NOT NULL,
  noticed_at timestamptz NOT NULL,
  releases jsonb NOT NULL,
  release_count integer NOT NULL,
  due_at timestamptz NOT NULL,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT release_moves_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT release_moves_organization_id_gather_job_id_fkey
    FOREIGN KEY (organization_id, gather_job_id)
    REFERENCES gather_jobs(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX release_moves_by_gather_job ON release_moves USING btree (organization_id, gather_job_id);
CREATE INDEX release_moves_due ON release_moves
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);

CREATE TABLE releases (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  gather_job_id bigint NOT NULL,
  tag text NOT NULL,
  version text NOT NULL,
  sort_key text COLLATE "C",
  variant text NOT NULL DEFAULT ''::text,
  app_version text,
  digest text,
  commit_id text,
  moved_from text,
  move_noticed_at timestamptz,
  move_habit text,
  move_count integer NOT NULL DEFAULT 0,
  moves jsonb,
  released_at timestamptz,
  is_prerelease boolean NOT NULL,
  is_yanked boolean NOT NULL DEFAULT false,
  is_withdrawn boolean NOT NULL DEFAULT false,
  url text,
  notes text,
  changelog_notes text,
  discovered_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT releases_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT releases_organization_id_gather_job_id_tag_key UNIQUE (organization_id, gather_job_id, tag),
  CONSTRAINT releases_move_habit_check
    CHECK ((move_habit = ANY (ARRAY['moving_tag'::text, 'official_image'::text, 'observed'::text]))),
  CONSTRAINT releases_organization_id_gather_job_id_fkey
    FOREIGN KEY (organization_id, gather_job_id)
    REFERENCES gather_jobs(organization_id, id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX releases_by_digest ON releases
  USING btree (organization_id, gather_job_id, digest)
  WHERE (digest IS NOT NULL);
CREATE INDEX releases_by_precedence ON releases
  USING btree (organization_id, gather_job_id, sort_key DESC NULLS LAST);
CREATE INDEX releases_counted ON releases
  USING btree (organization_id, gather_job_id, sort_key DESC)
  INCLUDE (released_at, discovered_at)
  WHERE ((variant = ''::text) AND (NOT is_prerelease) AND (NOT is_yanked) AND (NOT is_withdrawn) AND (sort_key
  IS NOT NULL));
CREATE INDEX releases_newest ON releases
  USING btree (organization_id, COALESCE(released_at, discovered_at), id)
  INCLUDE (is_prerelease);

CREATE TABLE reported_troubles (
  organization_id bigint NOT NULL,
  key text NOT NULL,
  event_type text NOT NULL,
  subject_kind text NOT NULL,
  subject_organization_id bigint NOT NULL,
  subject_id bigint,
  data jsonb NOT NULL,
  channel_ids bigint[] NOT NULL,
  is_mailed boolean NOT NULL,
  CONSTRAINT reported_troubles_pkey PRIMARY KEY (organization_id, key),
  CONSTRAINT reported_troubles_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX reported_troubles_by_subject ON reported_troubles
  USING btree (event_type, subject_kind, organization_id, key);

CREATE TABLE row_counts (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  subject text NOT NULL,
  kind text NOT NULL,
  amount bigint NOT NULL,
  is_folded boolean NOT NULL DEFAULT false,
  CONSTRAINT row_counts_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT row_counts_subject_check
    CHECK ((subject = ANY (ARRAY['alerts'::text, 'alert_days'::text, 'alert_configs'::text, 'jobs'::text,
    'failed_jobs'::text, 'discovered_items'::text, 'deployed_changes'::text, 'upgrade_changes'::text,
    'rule_uses'::text, 'delivery_hours'::text, 'open_alert_labels'::text, 'resolved_alert_labels'::text,
    'alert_config_labels'::text]))),
  CONSTRAINT row_counts_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX row_counts_by_kind ON row_counts USING btree (organization_id, subject, kind);
CREATE INDEX row_counts_to_fold ON row_counts USING btree (organization_id, id) WHERE (NOT is_folded);

CREATE TABLE rules (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  rule_type text NOT NULL,
  threshold_moderate integer,
  threshold_high integer,
  threshold_critical integer,
  stable_only boolean NOT NULL DEFAULT true,
  days_basis text,
  support_phase text,
  min_release_age_days integer NOT NULL DEFAULT 0,
  known_exploited_days integer,
  min_epss double precision,
  is_active boolean NOT NULL DEFAULT true,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT rules_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT rules_check CHECK ((num_nonnulls(threshold_moderate, threshold_high, threshold_critical) >= 1)),
  CONSTRAINT rules_days_basis_check
    CHECK ((days_basis = ANY (ARRAY['deployed_release'::text, 'first_newer_release'::text]))),
  CONSTRAINT rules_known_exploited_days_check CHECK ((known_exploited_days >= 1)),
  CONSTRAINT rules_min_epss_check
    CHECK (((min_epss >= (0)::double precision) AND (min_epss <= (1)::double precision))),
  CONSTRAINT rules_min_release_age_days_check CHECK ((min_release_age_days >= 0)),
  CONSTRAINT rules_rule_type_check
    CHECK ((rule_type = ANY (ARRAY['days_behind'::text, 'majors_behind'::text, 'minors_behind'::text,
    'upstream_silent'::text, 'end_of_life'::text, 'known_vulnerabilities'::text, 'release_integrity'::text,
    'vulnerability_age'::text]))),
  CONSTRAINT rules_support_phase_check
    CHECK ((support_phase = ANY (ARRAY['active_support'::text, 'end_of_life'::text,
    'extended_support'::text]))),
  CONSTRAINT rules_thresholds_check
    CHECK ( CASE rule_type WHEN 'end_of_life'::text THEN ((LEAST(threshold_moderate, threshold_high,
    threshold_critical) >= '-3650'::integer) AND (GREATEST(threshold_moderate, threshold_high,
    threshold_critical) <= 3650)) ELSE (LEAST(threshold_moderate, threshold_high, threshold_critical) >= 1)
    END),
  CONSTRAINT rules_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX rules_by_name ON rules USING btree (organization_id, lower(name), id);
CREATE INDEX rules_by_update ON rules USING btree (organization_id, updated_at, id);
CREATE INDEX rules_newest ON rules USING btree (organization_id, created_at, id);
CREATE TRIGGER rules_raise_revision
  BEFORE UPDATE OF name, description, rule_type, threshold_moderate, threshold_high, threshold_critical,
  stable_only, days_basis, support_phase, min_release_age_days, known_exploited_days, min_epss, is_active ON
  rules
  FOR EACH ROW WHEN ((((((((((((((old.name IS DISTINCT FROM new.name) OR (old.description IS DISTINCT FROM
  new.description)) OR (old.rule_type IS DISTINCT FROM new.rule_type)) OR (old.threshold_moderate IS DISTINCT
  FROM new.threshold_moderate)) OR (old.threshold_high IS DISTINCT FROM new.threshold_high)) OR
  (old.threshold_critical IS DISTINCT FROM new.threshold_critical)) OR (old.stable_only IS DISTINCT FROM
  new.stable_only)) OR (old.days_basis IS DISTINCT FROM new.days_basis)) OR (old.support_phase IS DISTINCT
  FROM new.support_phase)) OR (old.min_release_age_days IS DISTINCT FROM new.min_release_age_days)) OR
  (old.known_exploited_days IS DISTINCT FROM new.known_exploited_days)) OR (old.min_epss IS DISTINCT FROM
  new.min_epss)) OR (old.is_active IS DISTINCT FROM new.is_active)))
  EXECUTE FUNCTION raise_revision();
CREATE TRIGGER rules_upgrades_changed
  AFTER UPDATE OF rule_type ON rules
  FOR EACH ROW WHEN ((old.rule_type IS DISTINCT FROM new.rule_type))
  EXECUTE FUNCTION count_upgrade_changes();

CREATE TABLE run_parts (
  organization_id bigint NOT NULL,
  run_id bigint NOT NULL,
  lease_token uuid NOT NULL,
  sequence integer NOT NULL,
  items jsonb NOT NULL,
  bytes integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT run_parts_pkey PRIMARY KEY (organization_id, run_id, lease_token, sequence),
  CONSTRAINT run_parts_organization_id_run_id_fkey
    FOREIGN KEY (organization_id, run_id)
    REFERENCES runs(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE runs (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  job_id bigint NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'queued'::text,
  trigger text NOT NULL,
  credential_name text,
  capability text NOT NULL,
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  is_full boolean NOT NULL DEFAULT false,
  attempt integer NOT NULL DEFAULT 0,
  agent_id bigint,
  agent_organization_id bigint,
  lease_token uuid,
  lease_until timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  error_code text,
  error_message text,
  summary jsonb,
  checks integer NOT NULL DEFAULT 1,
  last_run_id bigint,
  last_finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  gather_job_id bigint,
  scrape_job_id bigint,
  helm_sync_job_id bigint,
  discovery_job_id bigint,
  reference_source_id bigint,
  CONSTRAINT runs_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT runs_check
    CHECK ((num_nonnulls(last_run_id, last_finished_at) = CASE checks WHEN 1 THEN 0 ELSE 2 END)),
  CONSTRAINT runs_check1 CHECK (((kind = 'gather'::text) = (gather_job_id IS NOT NULL))),
  CONSTRAINT runs_check2 CHECK (((kind = 'scrape'::text) = (scrape_job_id IS NOT NULL))),
  CONSTRAINT runs_check3 CHECK (((kind = 'helm_sync'::text) = (helm_sync_job_id IS NOT NULL))),
  CONSTRAINT runs_check4 CHECK (((kind = 'discovery'::text) = (discovery_job_id IS NOT NULL))),
  CONSTRAINT runs_check5 CHECK (((kind = 'reference'::text) = (reference_source_id IS NOT NULL))),
  CONSTRAINT runs_job_id_check CHECK ((job_id > 0)),
  CONSTRAINT runs_status_check
    CHECK ((status = ANY (ARRAY['queued'::text, 'in_progress'::text, 'succeeded'::text, 'failed'::text,
    'canceled'::text]))),
  CONSTRAINT runs_trigger_check
    CHECK ((trigger = ANY (ARRAY['schedule'::text, 'manual'::text, 'created'::text, 'changed'::text,
    'hook'::text]))),
  CONSTRAINT runs_organization_id_discovery_job_id_fkey
    FOREIGN KEY (organization_id, discovery_job_id)
    REFERENCES discovery_jobs(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT runs_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT runs_organization_id_gather_job_id_fkey
    FOREIGN KEY (organization_id, gather_job_id)
    REFERENCES gather_jobs(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT runs_organization_id_helm_sync_job_id_fkey
    FOREIGN KEY (organization_id, helm_sync_job_id)
    REFERENCES helm_sync_jobs(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT runs_organization_id_reference_source_id_fkey
    FOREIGN KEY (organization_id, reference_source_id)
    REFERENCES reference_sources(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT runs_organization_id_scrape_job_id_fkey
    FOREIGN KEY (organization_id, scrape_job_id)
    REFERENCES scrape_jobs(organization_id, id) ON DELETE CASCADE
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX runs_by_age ON runs USING btree (created_at, id);
CREATE INDEX runs_by_discovery_job ON runs
  USING btree (organization_id, discovery_job_id, id)
  WHERE (discovery_job_id IS NOT NULL);
CREATE INDEX runs_by_gather_job ON runs
  USING btree (organization_id, gather_job_id, id)
  WHERE (gather_job_id IS NOT NULL);
CREATE INDEX runs_by_helm_sync_job ON runs
  USING btree (organization_id, helm_sync_job_id, id)
  WHERE (helm_sync_job_id IS NOT NULL);
CREATE UNIQUE INDEX runs_by_id ON runs USING btree (id);
CREATE INDEX runs_by_reference_source ON runs
  USING btree (organization_id, reference_source_id, id)
  WHERE (reference_source_id IS NOT NULL);
CREATE INDEX runs_by_scrape_job ON runs
  USING btree (organization_id, scrape_job_id, id)
  WHERE (scrape_job_id IS NOT NULL);
CREATE INDEX runs_leased ON runs USING btree (lease_until) WHERE (status = 'in_progress'::text);
CREATE UNIQUE INDEX runs_open ON runs
  USING btree (organization_id, kind, job_id)
  WHERE (status = ANY (ARRAY['queued'::text, 'in_progress'::text]));
CREATE INDEX runs_queued ON runs
  USING btree (organization_id, capability, COALESCE(credential_name, ''::text), due_at, id)
  WHERE (status = 'queued'::text);
CREATE TRIGGER runs_set_discovery_job_id
  BEFORE INSERT ON runs
  FOR EACH ROW WHEN ((new.discovery_job_id IS NOT NULL))
  EXECUTE FUNCTION runs_set_discovery_job_id();
CREATE TRIGGER runs_set_gather_job_id
  BEFORE INSERT ON runs
  FOR EACH ROW WHEN ((new.gather_job_id IS NOT NULL))
  EXECUTE FUNCTION runs_set_gather_job_id();
CREATE TRIGGER runs_set_helm_sync_job_id
  BEFORE INSERT ON runs
  FOR EACH ROW WHEN ((new.helm_sync_job_id IS NOT NULL))
  EXECUTE FUNCTION runs_set_helm_sync_job_id();
CREATE TRIGGER runs_set_reference_source_id
  BEFORE INSERT ON runs
  FOR EACH ROW WHEN ((new.reference_source_id IS NOT NULL))
  EXECUTE FUNCTION runs_set_reference_source_id();
CREATE TRIGGER runs_set_scrape_job_id
  BEFORE INSERT ON runs
  FOR EACH ROW WHEN ((new.scrape_job_id IS NOT NULL))
  EXECUTE FUNCTION runs_set_scrape_job_id();

CREATE TABLE saved_views (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id bigint,
  page text NOT NULL,
  name text NOT NULL,
  search jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT saved_views_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT saved_views_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT saved_views_organization_id_user_id_fkey
    FOREIGN KEY (organization_id, user_id)
    REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_views_by_name ON saved_views
  USING btree (organization_id, page, COALESCE(user_id, (0)::bigint), lower(name));
CREATE INDEX saved_views_by_user ON saved_views USING btree (organization_id, user_id);

CREATE TABLE scrape_jobs (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  parser_type text NOT NULL,
  source text NOT NULL DEFAULT 'git'::text,
  repository_url text,
  ref text,
  target_file text,
  url text,
  query text,
  label text,
  series jsonb NOT NULL DEFAULT '{}'::jsonb,
  parse_expression text,
  version_transform text NOT NULL DEFAULT 'none'::text,
  credential_name text,
  cron_expression text,
  cron_timezone text NOT NULL DEFAULT 'UTC'::text,
  discovery_job_id bigint,
  labels jsonb NOT NULL DEFAULT '{}'::jsonb,
  history_limit integer NOT NULL DEFAULT 100,
  is_active boolean NOT NULL DEFAULT true,
  unchanged_count integer NOT NULL DEFAULT 0,
  latest_version text,
  latest_version_at timestamptz,
  latest_deployed_at timestamptz,
  previous_version text,
  match text,
  last_read_at timestamptz,
  gap_since timestamptz,
  gap_reason text,
  last_success_at timestamptz,
  last_outcome text NOT NULL DEFAULT 'none'::text,
  last_outcome_at timestamptz,
  failing_since timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity'::timestamptz,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  counted_in_run_id bigint,
  counted_checks integer NOT NULL DEFAULT 0,
  last_counted_run_id bigint,
  last_counted_at timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT scrape_jobs_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT scrape_jobs_check
    CHECK (((parser_type = 'discovered'::text) OR CASE source WHEN 'git'::text THEN (((parser_type =
    'manual'::text) = (repository_url IS NULL)) AND (url IS NULL)) ELSE ((parser_type <> 'manual'::text) AND
    (repository_url IS NULL) AND (url IS NOT NULL)) END)),
  CONSTRAINT scrape_jobs_check1
    CHECK ((num_nonnulls(counted_in_run_id, last_counted_run_id, last_counted_at) = CASE counted_checks WHEN 0
    THEN 0 ELSE 3 END)),
  CONSTRAINT scrape_jobs_discovered_check
    CHECK (((parser_type = 'discovered'::text) = (discovery_job_id IS NOT NULL))),
  CONSTRAINT scrape_jobs_gap_reason_check
    CHECK ((gap_reason = ANY (ARRAY['read_failed'::text, 'not_read'::text, 'unread_item'::text,
    'missing_item'::text, 'disabled'::text, 'detached'::text]))),
  CONSTRAINT scrape_jobs_last_outcome_check
    CHECK ((last_outcome = ANY (ARRAY['none'::text, 'succeeded'::text, 'failed'::text]))),
  CONSTRAINT scrape_jobs_parser_type_check
    CHECK ((parser_type = ANY (ARRAY['yq'::text, 'jq'::text, 'regex'::text, 'sbom'::text, 'manual'::text,
    'discovered'::text]))),
  CONSTRAINT scrape_jobs_query_check
    CHECK ((((source = 'prometheus'::text) = (query IS NOT NULL)) AND ((query IS NULL) = (label IS NULL)))),
  CONSTRAINT scrape_jobs_schedule_check CHECK (((discovery_job_id IS NULL) OR (cron_expression IS NULL))),
  CONSTRAINT scrape_jobs_source_check
    CHECK ((source = ANY (ARRAY['git'::text, 'http'::text, 'prometheus'::text]))),
  CONSTRAINT scrape_jobs_version_transform_check
    CHECK ((version_transform = ANY (ARRAY['none'::text, 'add_v_lower'::text, 'add_v_upper'::text,
    'strip_v_lower'::text, 'strip_v_upper'::text]))),
  CONSTRAINT scrape_jobs_organization_id_discovery_job_id_fkey
    FOREIGN KEY (organization_id, discovery_job_id)
    REFERENCES discovery_jobs(organization_id, id),
  CONSTRAINT scrape_jobs_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
) WITH (fillfactor=85, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX scrape_jobs_by_discovery_job ON scrape_jobs
  USING btree (organization_id, discovery_job_id, id)
  WHERE (discovery_job_id IS NOT NULL);
CREATE INDEX scrape_jobs_by_environment ON scrape_jobs
  USING btree (organization_id, ((labels ->> 'environment'::text)) COLLATE "C")
  WHERE ((labels ->> 'environment'::text) IS NOT NULL);
CREATE INDEX scrape_jobs_by_labels ON scrape_jobs
  USING gin (labels jsonb_path_ops)
  WHERE (labels <> '{}'::jsonb);
CREATE INDEX scrape_jobs_by_name ON scrape_jobs USING btree (organization_id, lower(name), id);
CREATE INDEX scrape_jobs_by_outcome ON scrape_jobs
  USING btree (organization_id, last_outcome, created_at, id);
CREATE INDEX scrape_jobs_by_parser ON scrape_jobs USING btree (organization_id, parser_type, created_at, id);
CREATE INDEX scrape_jobs_by_repository ON scrape_jobs
  USING btree (organization_id, repository_url)
  WHERE (repository_url IS NOT NULL);
CREATE INDEX scrape_jobs_by_service ON scrape_jobs
  USING btree (organization_id, ((labels ->> 'service'::text)) COLLATE "C", COALESCE((labels ->>
  'component'::text), ''::text) COLLATE "C", id)
  WHERE ((labels ->> 'service'::text) IS NOT NULL);
CREATE INDEX scrape_jobs_by_success ON scrape_jobs
  USING btree (GREATEST(COALESCE(last_success_at, created_at), updated_at))
  WHERE (is_active AND (cron_expression IS NOT NULL) AND (failing_since IS NULL));
CREATE INDEX scrape_jobs_due ON scrape_jobs
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);
CREATE INDEX scrape_jobs_failed ON scrape_jobs
  USING btree (organization_id, last_outcome_at DESC, id)
  WHERE (last_outcome = 'failed'::text);
CREATE INDEX scrape_jobs_in_turn ON scrape_jobs
  USING btree (organization_id, due_at)
  WHERE (due_at <> 'infinity'::timestamptz);
CREATE INDEX scrape_jobs_inactive ON scrape_jobs
  USING btree (organization_id, created_at, id)
  WHERE (NOT is_active);
CREATE INDEX scrape_jobs_newest ON scrape_jobs
  USING btree (organization_id, created_at, id)
  INCLUDE (is_active);
CREATE TRIGGER scrape_jobs_add_software
  AFTER INSERT ON scrape_jobs
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION add_software();
CREATE TRIGGER scrape_jobs_complete_manual
  BEFORE INSERT OR UPDATE ON scrape_jobs
  FOR EACH ROW WHEN (((new.parser_type = 'manual'::text) AND (new.latest_version IS NOT NULL) AND
  (new.last_outcome = 'none'::text)))
  EXECUTE FUNCTION complete_manual_job();
CREATE TRIGGER scrape_jobs_count_added
  AFTER INSERT ON scrape_jobs
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_jobs('scrape');
CREATE TRIGGER scrape_jobs_count_changed
  AFTER UPDATE OF is_active ON scrape_jobs
  FOR EACH ROW WHEN ((old.is_active <> new.is_active))
  EXECUTE FUNCTION count_jobs('scrape');
CREATE TRIGGER scrape_jobs_count_failed_added
  AFTER INSERT ON scrape_jobs
  FOR EACH ROW WHEN ((new.is_active AND (new.last_outcome = 'failed'::text)))
  EXECUTE FUNCTION count_failed_jobs('scrape');
CREATE TRIGGER scrape_jobs_count_failed_changed
  AFTER UPDATE OF is_active, last_outcome ON scrape_jobs
  FOR EACH ROW WHEN (((old.is_active AND (old.last_outcome = 'failed'::text)) <> (new.is_active AND
  (new.last_outcome = 'failed'::text))))
  EXECUTE FUNCTION count_failed_jobs('scrape');
CREATE TRIGGER scrape_jobs_count_failed_removed
  AFTER DELETE ON scrape_jobs
  FOR EACH ROW WHEN ((old.is_active AND (old.last_outcome = 'failed'::text)))
  EXECUTE FUNCTION count_failed_jobs('scrape');
CREATE TRIGGER scrape_jobs_count_removed
  AFTER DELETE ON scrape_jobs
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_jobs('scrape');
CREATE TRIGGER scrape_jobs_delete_software
  AFTER DELETE ON scrape_jobs
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION delete_software();
CREATE TRIGGER scrape_jobs_deployed_added
  AFTER INSERT ON scrape_jobs
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_deployed_changes();
CREATE TRIGGER scrape_jobs_deployed_changed
  AFTER UPDATE OF labels, latest_version, is_active ON scrape_jobs
  FOR EACH ROW WHEN ((((old.labels <> '{}'::jsonb) OR (new.labels <> '{}'::jsonb)) AND (((old.labels IS
  DISTINCT FROM new.labels) OR (old.latest_version IS DISTINCT FROM new.latest_version)) OR (old.is_active IS
  DISTINCT FROM new.is_active))))
  EXECUTE FUNCTION count_deployed_changes();
CREATE TRIGGER scrape_jobs_deployed_removed
  AFTER DELETE ON scrape_jobs
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_deployed_changes();
CREATE TRIGGER scrape_jobs_follow_readings
  BEFORE UPDATE ON scrape_jobs
  FOR EACH ROW WHEN (((new.last_read_at IS NOT NULL) AND (new.gap_since IS NULL) AND ((old.gap_since IS NOT
  NULL) OR (NOT new.is_active) OR (old.parser_type <> new.parser_type) OR ((new.parser_type <>
  'discovered'::text) AND ((new.last_outcome = 'failed'::text) OR (new.failing_since IS NOT NULL))))))
  EXECUTE FUNCTION follow_readings();
CREATE TRIGGER scrape_jobs_hand_on_labels
  AFTER UPDATE OF labels ON scrape_jobs
  FOR EACH ROW WHEN ((old.labels IS DISTINCT FROM new.labels))
  EXECUTE FUNCTION hand_on_labels();
CREATE TRIGGER scrape_jobs_keep_deleted
  BEFORE DELETE ON scrape_jobs
  FOR EACH ROW WHEN ((old.last_read_at IS NOT NULL))
  EXECUTE FUNCTION keep_deleted_scrape_job();
CREATE TRIGGER scrape_jobs_raise_revision
  BEFORE UPDATE OF name, parser_type, source, repository_url, ref, target_file, url, query, label, series,
  parse_expression, version_transform, credential_name, cron_expression, cron_timezone, history_limit,
  is_active, labels ON scrape_jobs
  FOR EACH ROW WHEN (((((((((((((((((((old.name IS DISTINCT FROM new.name) OR (old.parser_type IS DISTINCT
  FROM new.parser_type)) OR (old.source IS DISTINCT FROM new.source)) OR (old.repository_url IS DISTINCT FROM
  new.repository_url)) OR (old.ref IS DISTINCT FROM new.ref)) OR (old.target_file IS DISTINCT FROM
  new.target_file)) OR (old.url IS DISTINCT FROM new.url)) OR (old.query IS DISTINCT FROM new.query)) OR
  (old.label IS DISTINCT FROM new.label)) OR (old.series IS DISTINCT FROM new.series)) OR
  (old.parse_expression IS DISTINCT FROM new.parse_expression)) OR (old.version_transform IS DISTINCT FROM
  new.version_transform)) OR (old.credential_name IS DISTINCT FROM new.credential_name)) OR
  (old.cron_expression IS DISTINCT FROM new.cron_expression)) OR (old.cron_timezone IS DISTINCT FROM
  new.cron_timezone)) OR (old.history_limit IS DISTINCT FROM new.history_limit)) OR (old.is_active IS DISTINCT
  FROM new.is_active)) OR (old.labels IS DISTINCT FROM new.labels)))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE second_factors (
  user_id bigint NOT NULL,
  secret_sealed bytea NOT NULL,
  confirmed_at timestamptz,
  last_step bigint NOT NULL DEFAULT 0,
  wrong_codes integer NOT NULL DEFAULT 0,
  wrong_since timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT second_factors_pkey PRIMARY KEY (user_id),
  CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE servers (
  id uuid NOT NULL,
  version_reading smallint NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT servers_pkey PRIMARY KEY (id)
);

CREATE TABLE setting_revisions (
  organization_id bigint NOT NULL,
  key text NOT NULL,
  revision integer NOT NULL,
  CONSTRAINT setting_revisions_pkey PRIMARY KEY (organization_id, key),
  CONSTRAINT setting_revisions_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);

CREATE TABLE settings (
  organization_id bigint NOT NULL,
  key text NOT NULL,
  value jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT settings_pkey PRIMARY KEY (organization_id, key),
  CONSTRAINT settings_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX settings_by_key ON settings USING btree (key, organization_id);

CREATE TABLE silenced_alerts (
  organization_id bigint NOT NULL,
  alert_id bigint NOT NULL,
  reported_severity text,
  due_at timestamptz NOT NULL,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT silenced_alerts_pkey PRIMARY KEY (organization_id, alert_id),
  CONSTRAINT silenced_alerts_reported_severity_check
    CHECK ((reported_severity = ANY (ARRAY['moderate'::text, 'high'::text, 'critical'::text]))),
  CONSTRAINT silenced_alerts_organization_id_alert_id_fkey
    FOREIGN KEY (organization_id, alert_id)
    REFERENCES alerts(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX silenced_alerts_due ON silenced_alerts
  USING btree (due_at)
  WHERE (due_at < 'infinity'::timestamptz);

CREATE TABLE silences (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  label_matchers jsonb NOT NULL DEFAULT '[]'::jsonb,
  rule_ids bigint[] NOT NULL DEFAULT '{}'::bigint[],
  severities text[] NOT NULL DEFAULT '{}'::text[],
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  reason text NOT NULL,
  created_by_type text NOT NULL,
  created_by_id bigint,
  created_by_name text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT silences_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT silences_check CHECK ((ends_at >= starts_at)),
  CONSTRAINT silences_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX silences_by_end ON silences USING btree (organization_id, ends_at, id);
CREATE INDEX silences_newest ON silences USING btree (organization_id, created_at, id);
CREATE INDEX silences_oldest_ends ON silences USING btree (ends_at);
CREATE TRIGGER silences_raise_revision
  BEFORE UPDATE OF label_matchers, rule_ids, severities, starts_at, ends_at, reason ON silences
  FOR EACH ROW WHEN (((((((old.label_matchers IS DISTINCT FROM new.label_matchers) OR (old.rule_ids IS
  DISTINCT FROM new.rule_ids)) OR (old.severities IS DISTINCT FROM new.severities)) OR (old.starts_at IS
  DISTINCT FROM new.starts_at)) OR (old.ends_at IS DISTINCT FROM new.ends_at)) OR (old.reason IS DISTINCT FROM
  new.reason)))
  EXECUTE FUNCTION raise_revision();

CREATE TABLE software (
  organization_id bigint NOT NULL,
  scrape_job_id bigint NOT NULL,
  alert_config_id bigint,
  state text NOT NULL DEFAULT 'unmonitored'::text,
  severity_rank integer NOT NULL DEFAULT 0,
  crossed_at timestamptz,
  CONSTRAINT software_pkey PRIMARY KEY (organization_id, scrape_job_id)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX software_by_state ON software
  USING btree (organization_id, state, severity_rank DESC, crossed_at, alert_config_id);
CREATE INDEX software_worst ON software
  USING btree (organization_id, severity_rank DESC, crossed_at, alert_config_id)
  WHERE (alert_config_id IS NOT NULL);

CREATE TABLE used_identity_tokens (
  token_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT used_identity_tokens_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX used_identity_tokens_by_expiry ON used_identity_tokens USING btree (expires_at);

CREATE TABLE used_sign_on_states (
  state_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT used_sign_on_states_pkey PRIMARY KEY (state_hash)
);

CREATE TABLE user_identities (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id bigint NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text,
  checked_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  last_login_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT user_identities_pkey PRIMARY KEY (id),
  CONSTRAINT user_identities_issuer_subject_key UNIQUE (issuer, subject),
  CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX user_identities_by_user ON user_identities USING btree (user_id);

CREATE TABLE users (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  has_password boolean NOT NULL DEFAULT true,
  token_version integer NOT NULL DEFAULT 1,
  last_organization_id bigint,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_email_check CHECK ((email = lower(email))),
  CONSTRAINT users_last_organization_id_fkey
    FOREIGN KEY (last_organization_id)
    REFERENCES organizations(id) ON DELETE SET NULL
);

CREATE TABLE versions (
  organization_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  scrape_job_id bigint NOT NULL,
  version text NOT NULL,
  raw_version text NOT NULL,
  version_transform text NOT NULL,
  source text NOT NULL,
  match text,
  commit_sha text,
  is_change boolean NOT NULL,
  discovered_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT versions_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT versions_source_check CHECK ((source = ANY (ARRAY['agent'::text, 'manual'::text]))),
  CONSTRAINT versions_organization_id_scrape_job_id_fkey
    FOREIGN KEY (organization_id, scrape_job_id)
    REFERENCES scrape_jobs(organization_id, id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
  autovacuum_analyze_scale_factor=0.05);
CREATE INDEX versions_by_scrape_job ON versions USING btree (organization_id, scrape_job_id, is_change, id);
CREATE INDEX versions_changes ON versions USING btree (organization_id, created_at, id) WHERE is_change;
CREATE INDEX versions_newest ON versions USING btree (organization_id, created_at, id);
CREATE TRIGGER versions_record_exposure
  AFTER INSERT ON versions
  FOR EACH ROW WHEN (new.is_change)
  EXECUTE FUNCTION record_exposure();

CREATE TABLE vulnerabilities (
  organization_id bigint NOT NULL DEFAULT 1,
  package_key text NOT NULL,
  id text NOT NULL,
  aliases text[] NOT NULL,
  is_withdrawn boolean NOT NULL,
  severity text,
  summary text NOT NULL,
  affected jsonb NOT NULL,
  fingerprint text NOT NULL,
  modified_at timestamptz,
  published_at timestamptz,
  CONSTRAINT vulnerabilities_pkey PRIMARY KEY (organization_id, package_key, id),
  CONSTRAINT vulnerabilities_organization_id_check CHECK ((organization_id = 1)),
  CONSTRAINT vulnerabilities_severity_check
    CHECK ((severity = ANY (ARRAY['low'::text, 'moderate'::text, 'high'::text, 'critical'::text]))),
  CONSTRAINT vulnerabilities_organization_id_package_key_fkey
    FOREIGN KEY (organization_id, package_key)
    REFERENCES vulnerability_packages(organization_id, key) ON DELETE CASCADE
);
CREATE INDEX vulnerabilities_by_name ON vulnerabilities USING gin (array_append(aliases, id));

CREATE TABLE vulnerability_packages (
  organization_id bigint NOT NULL DEFAULT 1,
  key text NOT NULL,
  purls text[] NOT NULL,
  catalog_keys text[] NOT NULL,
  fingerprint text NOT NULL,
  record_count integer NOT NULL,
  as_of timestamptz NOT NULL,
  CONSTRAINT vulnerability_packages_pkey PRIMARY KEY (organization_id, key),
  CONSTRAINT vulnerability_packages_organization_id_check CHECK ((organization_id = 1)),
  CONSTRAINT vulnerability_packages_organization_id_fkey
    FOREIGN KEY (organization_id)
    REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX vulnerability_packages_by_catalog_key ON vulnerability_packages USING gin (catalog_keys);
CREATE INDEX vulnerability_packages_by_purl ON vulnerability_packages USING gin (purls);

CREATE TABLE waiting_reference_loads (
  organization_id bigint NOT NULL DEFAULT 1,
  source_name text NOT NULL,
  as_of timestamptz NOT NULL,
  changes jsonb NOT NULL,
  since timestamptz NOT NULL DEFAULT pacekeeper_now(),
  CONSTRAINT waiting_reference_loads_pkey PRIMARY KEY (organization_id, source_name),
  CONSTRAINT waiting_reference_loads_organization_id_check CHECK ((organization_id = 1)),
  CONSTRAINT waiting_reference_loads_organization_id_source_name_fkey
    FOREIGN KEY (organization_id, source_name)
    REFERENCES reference_sources(organization_id, name) ON DELETE CASCADE
);

CREATE TABLE waiting_reference_parts (
  organization_id bigint NOT NULL DEFAULT 1,
  source_name text NOT NULL,
  sequence integer NOT NULL,
  items jsonb NOT NULL,
  CONSTRAINT waiting_reference_parts_pkey PRIMARY KEY (organization_id, source_name, sequence),
  CONSTRAINT waiting_reference_parts_organization_id_check CHECK ((organization_id = 1)),
  CONSTRAINT waiting_reference_parts_organization_id_source_name_fkey
    FOREIGN KEY (organization_id, source_name)
    REFERENCES waiting_reference_loads(organization_id, source_name) ON DELETE CASCADE
);

CREATE OR REPLACE FUNCTION add_job_kind(kind text, jobs text, job_column text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  EXECUTE format($statements$
    ALTER TABLE runs ADD COLUMN %2$I bigint,
      ADD CHECK ((kind = %1$L) = (%2$I IS NOT NULL)),
      ADD FOREIGN KEY (organization_id, %2$I) REFERENCES %3$I (organization_id, id) ON DELETE CASCADE;
    CREATE INDEX %4$I ON runs (organization_id, %2$I, id) WHERE %2$I IS NOT NULL;

    CREATE FUNCTION %5$I() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      NEW.job_id := NEW.%2$I;
      RETURN NEW;
    END
    $body$;
    CREATE TRIGGER %5$I BEFORE INSERT ON runs FOR EACH ROW WHEN (NEW.%2$I IS NOT NULL) EXECUTE FUNCTION %5$I();

    CREATE FUNCTION %6$I(organization bigint) RETURNS SETOF bigint LANGUAGE sql STABLE PARALLEL SAFE AS $body$
      SELECT claimed.job_id
      FROM check_claims AS claim
      CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.due_ats, claim.requested_seqs)
        AS claimed (organization_id, job_id, due_at, requested_seq)
      WHERE claim.organization_id IN (organization, 1) AND claim.kind = %1$L AND claimed.organization_id = organization
        AND EXISTS (
          SELECT FROM %3$I AS jobs WHERE jobs.organization_id = organization AND jobs.id = claimed.job_id
            AND jobs.due_at = claimed.due_at AND jobs.requested_seq = claimed.requested_seq)
    $body$
  $statements$, kind, job_column, jobs, 'runs_by_' || regexp_replace(job_column, '_id$', ''), 'runs_set_' || job_column,
    kind || '_in_check');
END
$function$;

CREATE OR REPLACE FUNCTION add_software()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO software (organization_id, scrape_job_id) SELECT organization_id, id FROM changed;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION alert_config_kind(state text, state_reason text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN state = 'ok'
      AND coalesce(state_reason IN ('ahead_of_upstream', 'variant_ended', 'numbering_ended'), false)
    THEN 'warning' ELSE state END
$function$;

CREATE OR REPLACE FUNCTION alert_day(at timestamptz, what text)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD ') || what
$function$;

CREATE OR REPLACE FUNCTION alert_kind(severity text, acknowledged_at timestamptz, resolved_at timestamptz)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN resolved_at IS NOT NULL THEN 'resolved' WHEN acknowledged_at IS NOT NULL THEN 'acknowledged ' || severity
    ELSE 'unacknowledged ' || severity END
$function$;

CREATE OR REPLACE FUNCTION artifact_address(artifact_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT regexp_replace(
    regexp_replace(artifact_name, '^ssh://([^/@]*@)?([^/:]+):[0-9]+/', '\2/', 'i'), '^[a-z+]+://([^/@]*@)?', '', 'i')
$function$;

CREATE OR REPLACE FUNCTION check_in_progress(job_kind text, organization bigint, job bigint, job_due_at timestamptz, job_requested_seq bigint)
 RETURNS json
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT json_build_object('id', claimed.run_id, 'status', 'in_progress', 'trigger', 'schedule', 'created_at', claimed.due_at,
    'started_at', claim.started_at, 'finished_at', NULL, 'checks', 1, 'last_run_id', NULL, 'last_finished_at', NULL,
    'agent_id', claim.agent_id, 'attempt', 1, 'error_code', NULL, 'error_message', NULL, 'summary', NULL,
    'due_at', claimed.due_at, 'credential_name', NULL)
  FROM check_claims AS claim
  CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.run_ids, claim.due_ats, claim.requested_seqs)
    AS claimed (organization_id, job_id, run_id, due_at, requested_seq)
  WHERE claim.organization_id IN (organization, 1) AND claim.kind = job_kind AND job = ANY(claim.job_ids)
    AND claimed.organization_id = organization
    AND claimed.job_id = job AND claimed.due_at = job_due_at AND claimed.requested_seq = job_requested_seq
  LIMIT 1
$function$;

CREATE OR REPLACE FUNCTION claimed_checks_now(job_kind text, agent_organization bigint)
 RETURNS TABLE(organization_id bigint, job_id bigint, due_at timestamptz, requested_seq bigint)
 LANGUAGE sql
AS $function$
  SELECT claimed.*
  FROM check_claims AS claim
  CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.due_ats, claim.requested_seqs) AS claimed
  WHERE claim.kind = job_kind AND (agent_organization IS NULL OR claim.organization_id IN (agent_organization, 1))
$function$;

CREATE OR REPLACE FUNCTION complete_manual_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.last_outcome := 'succeeded';
  NEW.last_outcome_at := NEW.latest_version_at;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION count_alert_config_labels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO label_changes (organization_id, labels, alert_configs)
    VALUES (NEW.organization_id, OLD.effective_labels, -1), (NEW.organization_id, NEW.effective_labels, 1);
  ELSE
    INSERT INTO label_changes (organization_id, labels, alert_configs)
    SELECT organization_id, effective_labels, count(*) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
    FROM changed
    WHERE effective_labels <> '{}' AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY organization_id, effective_labels;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_alert_configs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES
      (NEW.organization_id, 'alert_configs', alert_config_kind(OLD.state, OLD.state_reason), -1),
      (NEW.organization_id, 'alert_configs', alert_config_kind(NEW.state, NEW.state_reason), 1);
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'alert_configs', alert_config_kind(state, state_reason),
      CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_alert_labels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.labels = NEW.labels THEN
    -- The alert was resolved, or opened again.
    INSERT INTO label_changes (organization_id, labels, open_alerts, resolved_alerts)
    VALUES (NEW.organization_id, NEW.labels, CASE WHEN NEW.resolved_at IS NULL THEN 1 ELSE -1 END,
      CASE WHEN NEW.resolved_at IS NULL THEN -1 ELSE 1 END);
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO label_changes (organization_id, labels, open_alerts, resolved_alerts) VALUES
      (NEW.organization_id, OLD.labels, -(OLD.resolved_at IS NULL)::integer, -(OLD.resolved_at IS NOT NULL)::integer),
      (NEW.organization_id, NEW.labels, (NEW.resolved_at IS NULL)::integer, (NEW.resolved_at IS NOT NULL)::integer);
  ELSE
    INSERT INTO label_changes (organization_id, labels, open_alerts, resolved_alerts)
    SELECT organization_id, labels,
      count(*) FILTER (WHERE resolved_at IS NULL) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END,
      count(*) FILTER (WHERE resolved_at IS NOT NULL) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
    FROM changed
    WHERE labels <> '{}' AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY organization_id, labels;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_alerts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT NEW.organization_id, subject, kind, sum(amount) FROM (VALUES
      ('alerts', alert_kind(OLD.severity, OLD.acknowledged_at, OLD.resolved_at), -1),
      ('alerts', alert_kind(NEW.severity, NEW.acknowledged_at, NEW.resolved_at), 1),
      ('alert_days', alert_day(OLD.created_at, 'opened'), -1),
      ('alert_days', alert_day(NEW.created_at, 'opened'), 1),
      ('alert_days', alert_day(OLD.resolved_at, 'resolved'), -1),
      ('alert_days', alert_day(NEW.resolved_at, 'resolved'), 1)) AS counted (subject, kind, amount)
    WHERE kind IS NOT NULL GROUP BY 2, 3 HAVING sum(amount) <> 0;
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, subject, kind, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed CROSS JOIN LATERAL (VALUES
      ('alerts', alert_kind(severity, acknowledged_at, resolved_at)),
      ('alert_days', alert_day(created_at, 'opened')),
      ('alert_days', alert_day(resolved_at, 'resolved'))) AS counted (subject, kind)
    WHERE kind IS NOT NULL AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 2, 3;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_delivery_hours()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT NEW.organization_id, 'delivery_hours', kind, amount FROM (VALUES
      (delivery_hour(OLD.created_at, OLD.status), -1),
      (delivery_hour(NEW.created_at, NEW.status), 1)) AS counted (kind, amount)
    WHERE kind IS NOT NULL;
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'delivery_hours', delivery_hour(created_at, status),
      CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed
    WHERE delivery_hour(created_at, status) IS NOT NULL
      AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_deployed_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES (NEW.organization_id, 'deployed_changes', 'all', 1);
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT DISTINCT organization_id, 'deployed_changes', 'all', 1 FROM changed
    WHERE labels <> '{}' AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_discovered_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'discovered_items', kind, sum(amount) FROM (
      SELECT organization_id, discovered_item_kind(discovery_job_id, status, confidence) AS kind, 1 AS amount FROM changed
      UNION ALL
      SELECT organization_id, discovered_item_kind(discovery_job_id, status, confidence), -1 FROM former
    ) AS difference GROUP BY organization_id, kind HAVING sum(amount) <> 0;
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'discovered_items', discovered_item_kind(discovery_job_id, status, confidence),
      CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_failed_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  amount bigint := -1;
  organization bigint;
BEGIN
  IF TG_OP = 'DELETE' THEN organization := OLD.organization_id; ELSE organization := NEW.organization_id; END IF;
  IF TG_OP <> 'DELETE' AND NEW.is_active AND NEW.last_outcome = 'failed' THEN amount := 1; END IF;
  INSERT INTO row_counts (organization_id, subject, kind, amount)
  SELECT id, 'failed_jobs', TG_ARGV[0], amount FROM organizations WHERE id = organization;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES
      (NEW.organization_id, 'jobs', job_kind(TG_ARGV[0], OLD.is_active), -1),
      (NEW.organization_id, 'jobs', job_kind(TG_ARGV[0], NEW.is_active), 1);
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'jobs', job_kind(TG_ARGV[0], is_active),
      CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_rule_uses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES
      (NEW.organization_id, 'rule_uses', OLD.rule_id::text, -1),
      (NEW.organization_id, 'rule_uses', NEW.rule_id::text, 1);
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'rule_uses', rule_id::text, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_upgrade_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF current_setting('pacekeeper.upgrades_changed_in', true) IS DISTINCT FROM NEW.organization_id::text THEN
      INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES (NEW.organization_id, 'upgrade_changes', 'all', 1);
      PERFORM set_config('pacekeeper.upgrades_changed_in', NEW.organization_id::text, true);
    END IF;
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT DISTINCT organization_id, 'upgrade_changes', 'all', 1 FROM changed
    WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION delete_software()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- Use EXECUTE, because it plans for the number of rows that are deleted now. A stored plan would fit only the first
  -- deletion.
  EXECUTE 'DELETE FROM software USING changed
    WHERE software.organization_id = changed.organization_id AND software.scrape_job_id = changed.id';
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION delivery_hour(created_at timestamptz, status text)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN status IN ('succeeded', 'dead_letter', 'canceled')
    THEN to_char(created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24 ') || status END
$function$;

CREATE OR REPLACE FUNCTION discovered_item_kind(discovery_job_id bigint, status text, confidence text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT discovery_job_id || CASE WHEN status = 'new' AND confidence = 'none' THEN ' unresolved' ELSE ' ' || status END
$function$;

CREATE OR REPLACE FUNCTION discovery_in_check(organization bigint)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
      SELECT claimed.job_id
      FROM check_claims AS claim
      CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.due_ats, claim.requested_seqs)
        AS claimed (organization_id, job_id, due_at, requested_seq)
      WHERE claim.organization_id IN (organization, 1) AND claim.kind = 'discovery' AND claimed.organization_id = organization
        AND EXISTS (
          SELECT FROM discovery_jobs AS jobs WHERE jobs.organization_id = organization AND jobs.id = claimed.job_id
            AND jobs.due_at = claimed.due_at AND jobs.requested_seq = claimed.requested_seq)
    $function$;

CREATE OR REPLACE FUNCTION find_digests_of_configs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE compared alert_configs[];
BEGIN
  IF TG_LEVEL = 'ROW' THEN compared := ARRAY[NEW];
  ELSE compared := ARRAY(SELECT changed FROM changed);
  END IF;
  INSERT INTO digest_fan_outs (organization_id, gather_job_id, for_organization_id, due_at, requested_seq)
  SELECT DISTINCT jobs.organization_id, jobs.id, configs.organization_id, pacekeeper_now(), 1
  FROM unnest(compared) AS configs
  JOIN scrape_jobs AS fed ON fed.organization_id = configs.organization_id AND fed.id = configs.scrape_job_id
  JOIN gather_jobs AS jobs ON jobs.organization_id = configs.gather_organization_id AND jobs.id = configs.gather_job_id
  WHERE fed.discovery_job_id IS NOT NULL AND fed.latest_version IS NULL AND jobs.source_type = 'oci_registry'
  ORDER BY jobs.organization_id, jobs.id
  ON CONFLICT (organization_id, gather_job_id, for_organization_id) DO UPDATE
  SET requested_seq = digest_fan_outs.requested_seq + 1, due_at = least(digest_fan_outs.due_at, EXCLUDED.due_at);
  -- Without the notification, polling would find the fan-out up to 5 seconds later.
  IF FOUND THEN PERFORM pg_notify('pacekeeper_wake', 'digest_fan_outs'); END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION follow_readings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  is_reading boolean := OLD.gap_since IS NOT NULL;
BEGIN
  IF is_reading AND OLD.gap_since < NEW.last_read_at THEN
    INSERT INTO reading_gaps (organization_id, scrape_job_id, started_at, ended_at, reason)
    VALUES (NEW.organization_id, NEW.id, OLD.gap_since, NEW.last_read_at, OLD.gap_reason)
    ON CONFLICT (organization_id, scrape_job_id, started_at) DO UPDATE SET ended_at = EXCLUDED.ended_at;
  END IF;
  NEW.gap_reason := CASE
    WHEN NOT NEW.is_active THEN 'disabled'
    WHEN NEW.parser_type = 'manual' AND OLD.parser_type <> 'manual' THEN 'detached'
    WHEN NEW.parser_type = 'discovered' THEN NULL
    WHEN NEW.last_outcome = 'failed' THEN 'read_failed'
    WHEN NEW.failing_since IS NOT NULL THEN 'not_read'
  END;
  IF NEW.gap_reason IS NOT NULL THEN
    NEW.gap_since := CASE
      WHEN is_reading OR OLD.last_read_at IS NULL THEN NEW.last_read_at
      -- A version that a person sets counts as deployed until it's set again.
      WHEN OLD.parser_type = 'manual' THEN pacekeeper_now()
      WHEN OLD.parser_type = 'discovered' THEN greatest(OLD.last_read_at, (
        SELECT reader.last_success_at FROM discovery_jobs AS reader
        WHERE reader.organization_id = OLD.organization_id AND reader.id = coalesce(
          (SELECT live_job_id FROM discovered_items
            WHERE organization_id = OLD.organization_id AND scrape_job_id = OLD.id),
          OLD.discovery_job_id)))
      ELSE OLD.last_read_at
    END;
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION follow_software()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    DELETE FROM former_software AS former USING added
    WHERE former.organization_id = added.organization_id AND former.scrape_job_id = added.scrape_job_id;
  ELSE
    INSERT INTO former_software (organization_id, scrape_job_id, gather_job_id)
    SELECT DISTINCT organization_id, scrape_job_id, gather_job_id FROM removed
    WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = removed.organization_id)
      AND NOT EXISTS (
        SELECT FROM alert_configs AS others
        WHERE others.organization_id = removed.organization_id AND others.scrape_job_id = removed.scrape_job_id)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION forget_match_of_digest()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.matched_version := NULL;
  NEW.digest_since := pacekeeper_now();
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION gather_in_check(organization bigint)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
      SELECT claimed.job_id
      FROM check_claims AS claim
      CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.due_ats, claim.requested_seqs)
        AS claimed (organization_id, job_id, due_at, requested_seq)
      WHERE claim.organization_id IN (organization, 1) AND claim.kind = 'gather' AND claimed.organization_id = organization
        AND EXISTS (
          SELECT FROM gather_jobs AS jobs WHERE jobs.organization_id = organization AND jobs.id = claimed.job_id
            AND jobs.due_at = claimed.due_at AND jobs.requested_seq = claimed.requested_seq)
    $function$;

CREATE OR REPLACE FUNCTION hand_on_labels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM scrape_jobs WHERE organization_id = NEW.organization_id AND id = NEW.id FOR UPDATE;
  PERFORM FROM alert_configs
  WHERE organization_id = NEW.organization_id AND scrape_job_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
  UPDATE alert_configs SET effective_labels = NEW.labels || labels
  WHERE organization_id = NEW.organization_id AND scrape_job_id = NEW.id;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION helm_sync_in_check(organization bigint)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
      SELECT claimed.job_id
      FROM check_claims AS claim
      CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.due_ats, claim.requested_seqs)
        AS claimed (organization_id, job_id, due_at, requested_seq)
      WHERE claim.organization_id IN (organization, 1) AND claim.kind = 'helm_sync' AND claimed.organization_id = organization
        AND EXISTS (
          SELECT FROM helm_sync_jobs AS jobs WHERE jobs.organization_id = organization AND jobs.id = claimed.job_id
            AND jobs.due_at = claimed.due_at AND jobs.requested_seq = claimed.requested_seq)
    $function$;

CREATE OR REPLACE FUNCTION inherit_labels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE inherited jsonb;
BEGIN
  IF TG_OP = 'INSERT' OR NEW.scrape_job_id <> OLD.scrape_job_id THEN
    PERFORM FROM scrape_jobs WHERE organization_id = NEW.organization_id AND id = NEW.scrape_job_id FOR KEY SHARE;
  END IF;
  SELECT labels INTO inherited FROM scrape_jobs
  WHERE organization_id = NEW.organization_id AND id = NEW.scrape_job_id;
  NEW.effective_labels := coalesce(inherited, '{}') || NEW.labels;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION job_kind(kind text, is_active boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN is_active THEN 'active ' ELSE 'inactive ' END || kind
$function$;

CREATE OR REPLACE FUNCTION keep_deleted_scrape_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO deleted_scrape_jobs (organization_id, id, name, labels, gap_since, gap_reason)
  SELECT OLD.organization_id, OLD.id, OLD.name, OLD.labels,
    coalesce(OLD.gap_since, CASE
      WHEN OLD.parser_type = 'manual' THEN pacekeeper_now()
      WHEN OLD.parser_type = 'discovered' THEN greatest(OLD.last_read_at, (
        SELECT last_success_at FROM discovery_jobs
        WHERE organization_id = OLD.organization_id AND id = OLD.discovery_job_id))
      ELSE OLD.last_read_at END),
    coalesce(OLD.gap_reason, 'deleted')
  -- Deleting an organization deletes its row first.
  WHERE EXISTS (SELECT FROM organizations WHERE id = OLD.organization_id)
    AND EXISTS (SELECT FROM exposures WHERE organization_id = OLD.organization_id AND scrape_job_id = OLD.id);
  RETURN OLD;
END
$function$;

CREATE OR REPLACE FUNCTION keep_labeled_configs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM labeled_configs
    WHERE organization_id = OLD.organization_id AND alert_config_id = OLD.id
      AND label = ANY(ARRAY(
        SELECT key || '=' || value FROM jsonb_each_text(OLD.effective_labels)
        WHERE OLD.scrape_job_id <> NEW.scrape_job_id OR NOT NEW.effective_labels @> jsonb_build_object(key, value)));
    INSERT INTO labeled_configs (organization_id, label, alert_config_id, scrape_job_id)
    SELECT NEW.organization_id, key || '=' || value, NEW.id, NEW.scrape_job_id FROM jsonb_each_text(NEW.effective_labels)
    WHERE OLD.scrape_job_id <> NEW.scrape_job_id OR NOT OLD.effective_labels @> jsonb_build_object(key, value)
    -- An incorrect row that the nightly recount hasn't corrected yet must not cause an edit to fail.
    ON CONFLICT (organization_id, label, alert_config_id) DO UPDATE SET scrape_job_id = EXCLUDED.scrape_job_id;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO labeled_configs (organization_id, label, alert_config_id, scrape_job_id)
    SELECT organization_id, key || '=' || value, id, scrape_job_id FROM changed, jsonb_each_text(effective_labels)
    ON CONFLICT (organization_id, label, alert_config_id) DO UPDATE SET scrape_job_id = EXCLUDED.scrape_job_id;
  ELSE
    -- Use EXECUTE, because it plans for the number of rows that are deleted now. A stored plan would fit only the first
    -- deletion.
    EXECUTE $sql$DELETE FROM labeled_configs USING changed, jsonb_each_text(effective_labels)
      WHERE labeled_configs.organization_id = changed.organization_id AND label = key || '=' || value AND alert_config_id = id$sql$;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION keep_worst()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
-- An assignment takes less time than PERFORM.
DECLARE locked text;
BEGIN
  IF TG_OP = 'DELETE' OR TG_OP = 'UPDATE' AND NEW.scrape_job_id <> OLD.scrape_job_id THEN
    locked := lock_software(OLD.organization_id);
    UPDATE software
    SET (alert_config_id, state, severity_rank, crossed_at) = (
      SELECT worst.alert_config_id, coalesce(worst.state, 'unmonitored'), coalesce(worst.severity_rank, 0), worst.crossed_at
      FROM (SELECT) AS one LEFT JOIN worst_of_job(OLD.organization_id, OLD.scrape_job_id) AS worst ON true)
    WHERE organization_id = OLD.organization_id AND scrape_job_id = OLD.scrape_job_id AND alert_config_id = OLD.id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    locked := lock_software(NEW.organization_id);
    -- Updates the row if this configuration was the worst and has changed, if the job had no configuration, or if this
    -- configuration is now worse than the previous worst one.
    UPDATE software
    SET (alert_config_id, state, severity_rank, crossed_at) = (
      SELECT worst.alert_config_id, coalesce(worst.state, 'unmonitored'), coalesce(worst.severity_rank, 0), worst.crossed_at
      FROM (SELECT) AS one LEFT JOIN worst_of_job(NEW.organization_id, NEW.scrape_job_id) AS worst ON true)
    WHERE organization_id = NEW.organization_id AND scrape_job_id = NEW.scrape_job_id AND CASE
      WHEN alert_config_id = NEW.id THEN (state, severity_rank, crossed_at) IS DISTINCT FROM
        (NEW.state, rank_of_severity(NEW.severity), NEW.crossed_at)
      WHEN alert_config_id IS NULL THEN true
      WHEN severity_rank <> rank_of_severity(NEW.severity) THEN severity_rank < rank_of_severity(NEW.severity)
      WHEN state <> NEW.state THEN rank_of_state(state) < rank_of_state(NEW.state)
      ELSE (coalesce(NEW.crossed_at, 'infinity'), NEW.id) < (coalesce(crossed_at, 'infinity'), alert_config_id)
    END;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION leave_schedule_to_group()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.due_at := 'infinity';
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION lock_software(organization bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  SELECT pg_advisory_xact_lock(hashtext('pacekeeper software'), (organization % 2147483647)::integer)
$function$;

CREATE OR REPLACE FUNCTION open_gaps_of_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE scrape_jobs AS fed
  SET gap_since = greatest(fed.last_read_at, OLD.last_success_at),
    gap_reason = CASE
      WHEN NOT NEW.is_active THEN 'disabled'
      WHEN NEW.last_outcome = 'failed' THEN 'read_failed'
      ELSE 'not_read'
    END
  FROM (
    SELECT jobs.organization_id, jobs.id
    FROM discovered_items AS items
    JOIN scrape_jobs AS jobs ON jobs.organization_id = items.organization_id AND jobs.id = items.scrape_job_id
    WHERE items.organization_id = NEW.organization_id
      AND (items.discovery_job_id = NEW.id AND items.live_job_id IS NULL OR items.live_job_id = NEW.id)
      AND jobs.gap_since IS NULL AND jobs.last_read_at IS NOT NULL
    ORDER BY jobs.id FOR NO KEY UPDATE OF jobs
  ) AS unread
  WHERE fed.organization_id = unread.organization_id AND fed.id = unread.id;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION pacekeeper_now()
 RETURNS timestamptz
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT date_trunc('milliseconds', statement_timestamp()) $function$;

CREATE OR REPLACE FUNCTION raise_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.revision := OLD.revision + 1;
  NEW.updated_at := pacekeeper_now();
  RETURN NEW;
END
$function$;

CREATE OR REPLACE PROCEDURE raise_revision_on_change(IN edited regclass, IN columns text[], IN set_or_found text[] DEFAULT '{}'::text[])
 LANGUAGE plpgsql
AS $procedure$
DECLARE
  written text;
  old_values text;
  new_values text;
BEGIN
  SELECT string_agg(
      CASE WHEN name = ANY(set_or_found) THEN format('%I, %I', name, name || '_source') ELSE quote_ident(name) END,
      ', ' ORDER BY place),
    string_agg(replace(value, 'row.', 'OLD.'), ', ' ORDER BY place),
    string_agg(replace(value, 'row.', 'NEW.'), ', ' ORDER BY place)
  INTO written, old_values, new_values
  FROM unnest(columns) WITH ORDINALITY AS listed (name, place)
  CROSS JOIN LATERAL (
    SELECT CASE WHEN name = ANY(set_or_found)
      THEN format('CASE WHEN row.%I = ''set'' THEN row.%I END', name || '_source', name)
      ELSE format('row.%I', name) END AS value
  ) AS compared;
  EXECUTE format(
    'CREATE OR REPLACE TRIGGER %I BEFORE UPDATE OF %s ON %s FOR EACH ROW WHEN ((%s) IS DISTINCT FROM (%s))
      EXECUTE FUNCTION raise_revision()',
    edited || '_raise_revision', written, edited, old_values, new_values);
END
$procedure$;

CREATE OR REPLACE FUNCTION rank_of_severity(severity text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0)
$function$;

CREATE OR REPLACE FUNCTION rank_of_state(state text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT array_position(ARRAY['inactive', 'ok', 'no_data', 'stale', 'alerting'], state)
$function$;

CREATE OR REPLACE FUNCTION record_exposure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE exposures SET ended_at = greatest(first_seen_at, NEW.discovered_at)
  WHERE organization_id = NEW.organization_id AND ended_at IS NULL AND id = (
    SELECT newest.id FROM exposures AS newest
    WHERE newest.organization_id = NEW.organization_id AND newest.scrape_job_id = NEW.scrape_job_id
    ORDER BY newest.first_seen_at DESC, newest.id DESC LIMIT 1);
  INSERT INTO exposures (organization_id, scrape_job_id, version, commit_sha, source, first_seen_at)
  SELECT NEW.organization_id, NEW.scrape_job_id, NEW.version, NEW.commit_sha,
    CASE parser_type WHEN 'manual' THEN 'manual' WHEN 'discovered' THEN 'discovery' ELSE source END, NEW.discovered_at
  FROM scrape_jobs WHERE organization_id = NEW.organization_id AND id = NEW.scrape_job_id;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION reference_in_check(organization bigint)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
      SELECT claimed.job_id
      FROM check_claims AS claim
      CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.due_ats, claim.requested_seqs)
        AS claimed (organization_id, job_id, due_at, requested_seq)
      WHERE claim.organization_id IN (organization, 1) AND claim.kind = 'reference' AND claimed.organization_id = organization
        AND EXISTS (
          SELECT FROM reference_sources AS jobs WHERE jobs.organization_id = organization AND jobs.id = claimed.job_id
            AND jobs.due_at = claimed.due_at AND jobs.requested_seq = claimed.requested_seq)
    $function$;

CREATE OR REPLACE FUNCTION relabel_open_alert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE alerts SET labels = NEW.effective_labels, updated_at = pacekeeper_now()
  WHERE organization_id = NEW.organization_id AND alert_config_id = NEW.id AND resolved_at IS NULL
    AND labels <> NEW.effective_labels;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION repository_address(artifact_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT regexp_replace(
    regexp_replace(
      regexp_replace(
        CASE
          WHEN artifact_name ~* '^([a-z+]+://)?([^/@]*@)?((www\.)?(github\.com|gitlab\.com)|codeberg\.org|bitbucket\.org|(ssh\.)?dev\.azure\.com|(gitlab|gitea|forgejo)\.[^/:]+)(:[0-9]+)?/'
            THEN lower(artifact_name)
          ELSE artifact_name
        END,
        '^ssh://([^/@]*@)?([^/:]+):[0-9]+/', '\2/', 'i'),
      '^[a-z+]+://([^/@]*@)?', '', 'i'),
    '^www\.|(\.git)?/*$', '', 'g')
$function$;

CREATE OR REPLACE FUNCTION run_json(run runs, counted_in bigint, counted integer, last_counted_id bigint, last_counted_at timestamptz)
 RETURNS json
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT json_build_object('id', run.id, 'status', run.status, 'trigger', run.trigger, 'created_at', run.created_at,
    'started_at', run.started_at, 'finished_at', run.finished_at,
    'checks', run.checks + CASE counted_in WHEN run.id THEN counted ELSE 0 END,
    'last_run_id', CASE counted_in WHEN run.id THEN last_counted_id ELSE run.last_run_id END,
    'last_finished_at', CASE counted_in WHEN run.id THEN last_counted_at ELSE run.last_finished_at END,
    'agent_id', run.agent_id, 'attempt', run.attempt, 'error_code', run.error_code, 'error_message', run.error_message,
    'summary', run.summary, 'due_at', run.due_at, 'credential_name', run.credential_name)
$function$;

CREATE OR REPLACE FUNCTION runs_set_discovery_job_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      NEW.job_id := NEW.discovery_job_id;
      RETURN NEW;
    END
    $function$;

CREATE OR REPLACE FUNCTION runs_set_gather_job_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      NEW.job_id := NEW.gather_job_id;
      RETURN NEW;
    END
    $function$;

CREATE OR REPLACE FUNCTION runs_set_helm_sync_job_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      NEW.job_id := NEW.helm_sync_job_id;
      RETURN NEW;
    END
    $function$;

CREATE OR REPLACE FUNCTION runs_set_reference_source_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      NEW.job_id := NEW.reference_source_id;
      RETURN NEW;
    END
    $function$;

CREATE OR REPLACE FUNCTION runs_set_scrape_job_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      NEW.job_id := NEW.scrape_job_id;
      RETURN NEW;
    END
    $function$;

CREATE OR REPLACE FUNCTION scrape_in_check(organization bigint)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
      SELECT claimed.job_id
      FROM check_claims AS claim
      CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.due_ats, claim.requested_seqs)
        AS claimed (organization_id, job_id, due_at, requested_seq)
      WHERE claim.organization_id IN (organization, 1) AND claim.kind = 'scrape' AND claimed.organization_id = organization
        AND EXISTS (
          SELECT FROM scrape_jobs AS jobs WHERE jobs.organization_id = organization AND jobs.id = claimed.job_id
            AND jobs.due_at = claimed.due_at AND jobs.requested_seq = claimed.requested_seq)
    $function$;

CREATE OR REPLACE FUNCTION worst_of_job(organization bigint, job bigint)
 RETURNS TABLE(alert_config_id bigint, state text, severity_rank integer, crossed_at timestamptz)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT id, state, coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0), crossed_at
  FROM alert_configs WHERE organization_id = organization AND scrape_job_id = job
  ORDER BY coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0) DESC,
    array_position(ARRAY['inactive', 'ok', 'no_data', 'stale', 'alerting'], state) DESC, crossed_at, id
  LIMIT 1
$function$;
