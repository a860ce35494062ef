-- Which version is deployed where only a digest says so: tags of registries have digests, and an item that has one of them
-- has the version of that tag.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE releases ADD COLUMN digest text;

ALTER TABLE discovered_items
  -- Of the release with the same digest. It stays when the tag moves on, because the content of a digest never changes.
  ADD COLUMN matched_version text,
  -- When the digest was first seen here.
  ADD COLUMN digest_since timestamptz NOT NULL DEFAULT pacekeeper_now(),
  -- How `live_version` was found; null: the cluster or the host names it.
  ADD COLUMN live_match text;
-- Whatever changes the digest: a match and a time are those of a digest, and servers of the version before know neither.
CREATE FUNCTION forget_match_of_digest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.matched_version := NULL;
  NEW.digest_since := pacekeeper_now();
  RETURN NEW;
END
$$;
CREATE TRIGGER discovered_items_forget_match BEFORE UPDATE OF digest ON discovered_items
  FOR EACH ROW WHEN (OLD.digest IS DISTINCT FROM NEW.digest) EXECUTE FUNCTION forget_match_of_digest();

-- How the version was found; null: it was read or set.
ALTER TABLE versions ADD COLUMN match text;
ALTER TABLE scrape_jobs ADD COLUMN match text;

-- A gather job whose releases have new digests. A fan-out finds the items that have them in steps, from the cursor on. A
-- change meanwhile has it go through them once more, after it has come to the end: otherwise frequent changes would keep it
-- at the beginning.
CREATE TABLE digest_fan_outs (
  organization_id bigint NOT NULL,
  gather_job_id bigint NOT NULL,
  -- Whose items. With that of the job: of everyone who can see the job. Others have rows of their own for a global job, so
  -- that what one organization compares costs no other organization anything.
  for_organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  cursor_organization_id bigint NOT NULL DEFAULT 0,
  cursor_item_id bigint NOT NULL DEFAULT 0,
  -- The request that the present pass began with.
  pass_wanted bigint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  wanted bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, gather_job_id, for_organization_id),
  FOREIGN KEY (organization_id, gather_job_id) REFERENCES gather_jobs (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX digest_fan_outs_due ON digest_fan_outs (due_at) WHERE due_at < 'infinity';
CREATE INDEX digest_fan_outs_in_turn ON digest_fan_outs (for_organization_id, due_at, organization_id, gather_job_id)
  WHERE due_at < 'infinity';

-- A configuration that begins to compare a job without a version with a registry: its releases may have the digest.
CREATE FUNCTION find_digests_of_configs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE compared alert_configs[];
BEGIN
  IF TG_LEVEL = 'ROW' THEN compared := ARRAY[NEW];
  ELSE compared := ARRAY(SELECT changed FROM changed);
  END IF;
  INSERT INTO digest_fan_outs (organization_id, gather_job_id, for_organization_id, due_at, wanted)
  SELECT DISTINCT jobs.organization_id, jobs.id, configs.organization_id, pacekeeper_now(), 1
  FROM unnest(compared) AS configs
  JOIN scrape_jobs AS fed ON fed.organization_id = configs.organization_id AND fed.id = configs.scrape_job_id
  JOIN gather_jobs AS jobs ON jobs.organization_id = configs.gather_organization_id AND jobs.id = configs.gather_job_id
  WHERE fed.discovery_job_id IS NOT NULL AND fed.latest_version IS NULL AND jobs.source_type = 'oci_registry'
  ORDER BY jobs.organization_id, jobs.id
  ON CONFLICT (organization_id, gather_job_id, for_organization_id) DO UPDATE
  SET wanted = digest_fan_outs.wanted + 1, due_at = least(digest_fan_outs.due_at, EXCLUDED.due_at);
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_configs_find_digests_of_added AFTER INSERT ON alert_configs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION find_digests_of_configs();
CREATE TRIGGER alert_configs_find_digests_of_changed AFTER UPDATE OF scrape_job_id, gather_organization_id, gather_job_id
  ON alert_configs FOR EACH ROW WHEN (
    (OLD.scrape_job_id, OLD.gather_organization_id, OLD.gather_job_id)
    IS DISTINCT FROM (NEW.scrape_job_id, NEW.gather_organization_id, NEW.gather_job_id)
  ) EXECUTE FUNCTION find_digests_of_configs();
