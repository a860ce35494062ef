-- Discovery jobs that read what runs in a Kubernetes cluster. Items of Git repositories learn from them which version runs.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE discovery_jobs
  -- The label `cluster` of all items. Items of repositories with the same label are compared with them.
  ADD COLUMN cluster_name text,
  ADD COLUMN helm_secrets boolean NOT NULL DEFAULT false,
  -- Of the cluster that the first scan found; those of another one fail.
  ADD COLUMN cluster_uid text,
  -- Until when what it found counts as what runs; null: it doesn't. Each success sets it anew.
  ADD COLUMN live_until timestamptz,
  ADD CONSTRAINT discovery_jobs_cluster_check CHECK ((kind = 'kubernetes_cluster') = (cluster_name IS NOT NULL));
CREATE INDEX discovery_jobs_live ON discovery_jobs (live_until) WHERE live_until < 'infinity';

DROP TRIGGER discovery_jobs_raise_revision ON discovery_jobs;
CREATE TRIGGER discovery_jobs_raise_revision
  BEFORE UPDATE OF name, kind, repository_url, ref, cluster_name, helm_secrets, include, exclude, extractors, label_rules,
    accept, default_rule_id, credential_name, source_credentials, cron_expression, cron_timezone, is_active
  ON discovery_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.kind, OLD.repository_url, OLD.ref, OLD.cluster_name, OLD.helm_secrets, OLD.include, OLD.exclude,
      OLD.extractors, OLD.label_rules, OLD.accept, OLD.default_rule_id, OLD.credential_name, OLD.source_credentials,
      OLD.cron_expression, OLD.cron_timezone, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.kind, NEW.repository_url, NEW.ref, NEW.cluster_name, NEW.helm_secrets, NEW.include, NEW.exclude,
      NEW.extractors, NEW.label_rules, NEW.accept, NEW.default_rule_id, NEW.credential_name, NEW.source_credentials,
      NEW.cron_expression, NEW.cron_timezone, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

-- The discovery job that found `live_version`.
ALTER TABLE discovered_items ADD COLUMN live_job_id bigint;
CREATE INDEX discovered_items_live ON discovered_items (organization_id, live_job_id) WHERE live_job_id IS NOT NULL;
