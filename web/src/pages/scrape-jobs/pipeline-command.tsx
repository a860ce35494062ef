import { Code, Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { serverUrl } from '../../api/page-location.ts';
import { useApi } from '../../api/use-api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

/**
 * Shows the command with which a pipeline sets the version of a manual tracker. If pipelines report its deployments, the
 * command reports the next one, because a report also records who deployed the version.
 */
export function PipelineCommand({ job }: { job: Schemas['ScrapeJob'] }) {
  const reports = useApi('listDeployments', { query: { scrape_job_id: job.id, limit: 1 } });
  if (reports.data === undefined) return null;
  const [report] = reports.data.items;
  const [path, body] =
    report === undefined
      ? [`scrape-jobs/${job.id}/set-version`, { version: '1.2.3' }]
      : ['deployments', reportOf(report)];
  const data = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  // The key is passed on standard input, because all processes of the machine can read command-line
  // arguments.
  const command = [
    `printf 'X-API-Key: %s' "$PACEKEEPER_API_KEY" |`,
    `  curl -X POST ${serverUrl()}/api/v1/client/${path}`,
    `  --header @- --header 'Content-Type: application/json'`,
    `  --data '${data}'`,
  ].join(' \\\n');
  return (
    <details>
      <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
        {report === undefined ? 'Set it from a pipeline' : 'Report it from a pipeline'}
      </Text>
      <Text size="sm" mt="xs" mb={4} c="var(--text-muted)">
        {report === undefined
          ? 'Run this in your pipeline after each deployment, with an API key that has the reporter role:'
          : 'Pipelines report the deployments of this software. Run this after each deployment, with an API key that has the reporter role:'}
      </Text>
      <Code block tabIndex={0} aria-label="Pipeline command">
        {command}
      </Code>
      <CopyButton text={command} mt="xs" />
    </details>
  );
}

function reportOf({ service, environment, labels }: Schemas['Deployment']) {
  const report = { service, environment, version: '1.2.3' };
  return Object.keys(labels).length === 0 ? report : { ...report, labels };
}
