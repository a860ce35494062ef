-- Nobody writes to this table meanwhile. Gives way before PostgreSQL calls it a deadlock.
SET LOCAL lock_timeout = '500ms';
LOCK TABLE alert_configs IN SHARE ROW EXCLUSIVE MODE;

UPDATE alert_configs c
SET ordinal = numbered.ordinal
FROM (
  SELECT organization_id, id, row_number() OVER (
    PARTITION BY organization_id, scrape_job_id, gather_job_id, rule_id, coalesce(candidate_pattern, '') ORDER BY id
  ) - 1 AS ordinal
  FROM alert_configs
) AS numbered
WHERE c.organization_id = numbered.organization_id AND c.id = numbered.id AND numbered.ordinal > 0;

-- Of the pattern its hash: it may be longer than an entry of an index.
CREATE UNIQUE INDEX alert_configs_by_parts ON alert_configs
  (organization_id, scrape_job_id, gather_job_id, rule_id, md5(coalesce(candidate_pattern, '')), ordinal);
