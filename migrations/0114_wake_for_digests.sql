-- A configuration that begins to compare a job without a version is followed at once: who polls finds it up to 5 seconds later.
CREATE OR REPLACE FUNCTION find_digests_of_configs() RETURNS trigger LANGUAGE plpgsql AS $$
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
  IF FOUND THEN PERFORM pg_notify('pacekeeper_wake', 'digest_fan_outs'); END IF;
  RETURN NULL;
END
$$;
