-- Helm doesn't record the repository of a chart. It's suggested from what the organization's other items and jobs say.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE discovered_items
  -- The repository of the software in a chart, from the metadata of the chart.
  ADD COLUMN project_url text,
  -- As `proposal`, which counts more, with its `confidence`.
  ADD COLUMN suggestion jsonb;
CREATE INDEX discovered_items_by_chart ON discovered_items (organization_id, artifact_name)
  WHERE artifact_kind = 'chart' AND proposal IS NOT NULL;
CREATE INDEX gather_jobs_by_chart ON gather_jobs (organization_id, (split_part(artifact_name, '/', -1)))
  WHERE source_type = 'helm_repository';
CREATE INDEX helm_charts_by_name ON helm_charts (organization_id, name);
