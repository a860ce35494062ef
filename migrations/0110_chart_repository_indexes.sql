-- A migration of their own, so that the tables can be read while they're built.
SET LOCAL lock_timeout = '500ms';

CREATE INDEX discovered_items_by_chart ON discovered_items (organization_id, artifact_name)
  WHERE artifact_kind = 'chart' AND proposal IS NOT NULL;
CREATE INDEX gather_jobs_by_chart ON gather_jobs (organization_id, (split_part(artifact_name, '/', -1)))
  WHERE source_type = 'helm_repository';
CREATE INDEX helm_charts_by_name ON helm_charts (organization_id, name);
