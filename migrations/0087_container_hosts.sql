-- Discovery jobs that read what runs on a Docker or Podman host.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE discovery_jobs
  -- The label `host` of all items. Items of repositories with the same label are compared with them.
  ADD COLUMN host_name text,
  -- Of the host that the first scan found; those of another one fail.
  ADD COLUMN host_uid text,
  DROP CONSTRAINT discovery_jobs_kind_check,
  ADD CONSTRAINT discovery_jobs_kind_check CHECK (kind IN ('git_repository', 'kubernetes_cluster', 'container_host')),
  ADD CONSTRAINT discovery_jobs_host_check CHECK ((kind = 'container_host') = (host_name IS NOT NULL));

DROP TRIGGER discovery_jobs_raise_revision ON discovery_jobs;
CREATE TRIGGER discovery_jobs_raise_revision
  BEFORE UPDATE OF name, kind, repository_url, ref, cluster_name, helm_secrets, host_name, include, exclude, extractors,
    label_rules, accept, default_rule_id, credential_name, source_credentials, cron_expression, cron_timezone, is_active
  ON discovery_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.kind, OLD.repository_url, OLD.ref, OLD.cluster_name, OLD.helm_secrets, OLD.host_name, OLD.include,
      OLD.exclude, OLD.extractors, OLD.label_rules, OLD.accept, OLD.default_rule_id, OLD.credential_name,
      OLD.source_credentials, OLD.cron_expression, OLD.cron_timezone, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.kind, NEW.repository_url, NEW.ref, NEW.cluster_name, NEW.helm_secrets, NEW.host_name, NEW.include,
      NEW.exclude, NEW.extractors, NEW.label_rules, NEW.accept, NEW.default_rule_id, NEW.credential_name,
      NEW.source_credentials, NEW.cron_expression, NEW.cron_timezone, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();
