-- Helm doesn't record the repository of a chart. It's suggested from what the organization's other items and jobs say.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE discovered_items
  -- The repository of the software in a chart, from the metadata of the chart.
  ADD COLUMN project_url text,
  -- As `proposal`, which counts more, with its `confidence`.
  ADD COLUMN suggestion jsonb;
