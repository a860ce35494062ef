import { Button, Code, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { formatSeries } from '../../../../src/domain/prometheus/prometheus-series.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { serverUrl } from '../../api/page-location.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useCan } from '../../api/use-me.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { JobButtons } from '../../components/job-menu.tsx';
import { JobStatusMark } from '../../components/job-status.tsx';
import { LabelList } from '../../components/label-list.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { runFacts } from '../../components/run-facts.tsx';
import { RunsList } from '../../components/runs-list.tsx';
import { UsedBy } from '../../components/used-by.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { parserLabel, transformOptions } from './parser-types.ts';
import { ScrapeJobForm } from './scrape-job-form.tsx';
import { SetVersionForm } from './set-version-form.tsx';
import { SnapshotsList } from './snapshots-list.tsx';

type ScrapeJob = Schemas['ScrapeJob'];

const parent = { to: '/scrape-jobs', title: 'Version trackers' } as const;

export default function ScrapeJobPage() {
  const { id } = useParams({ from: '/shell/scrape-jobs/$id' });
  const job = useApi('getScrapeJob', { path: { id: Number(id) } });
  return (
    <Loaded query={job} parent={parent}>
      {(found) => <ScrapeJobDetail job={found} />}
    </Loaded>
  );
}

function ScrapeJobDetail({ job }: { job: ScrapeJob }) {
  const [isEditing, editing] = useDisclosure(false);
  const update = useAction('updateScrapeJob', { quiet: true, done: 'Version tracker saved' });
  const canWrite = useCan('member');
  const isManual = job.parser_type === 'manual';
  return (
    <>
      <PageHeader
        title={job.name}
        parent={parent}
        actions={
          <JobButtons kind="scrape" job={job} neverRuns={isManual} list="/scrape-jobs">
            <Button variant="default" onClick={editing.open}>
              Edit
            </Button>
          </JobButtons>
        }
      />
      {isManual && canWrite && (
        <Section title="Set version">
          <SetVersionForm job={job} />
          <FromPipeline job={job} />
        </Section>
      )}
      <Section title="Details">
        <ScrapeJobFacts job={job} />
      </Section>
      <SnapshotsList job={job} />
      <UsedBy filter={{ scrape_job_id: job.id }} />
      {!isManual && <RunsList operationId="listScrapeJobRuns" jobId={job.id} />}
      <EditDialog
        title="Edit version tracker"
        resource={job}
        isOpen={isEditing}
        close={editing.close}
        update={update.mutateAsync}
      >
        {(opened, form) => <ScrapeJobForm job={opened} {...form} />}
      </EditDialog>
    </>
  );
}

/** Shows the command with which a pipeline sets the version. */
function FromPipeline({ job }: { job: ScrapeJob }) {
  // The key is passed on standard input, because all processes of the machine can read command-line
  // arguments.
  const command = [
    `printf 'X-API-Key: %s' "$PACEKEEPER_API_KEY" |`,
    `  curl -X POST ${serverUrl()}/api/v1/client/scrape-jobs/${job.id}/set-version`,
    `  --header @- --header 'Content-Type: application/json'`,
    `  --data '{"version": "1.2.3"}'`,
  ].join(' \\\n');
  return (
    <div>
      <Text size="sm" mt="sm" mb={4} c="var(--text-muted)">
        Run this in your pipeline after each deployment, with an API key that has the reporter role:
      </Text>
      <Code block tabIndex={0} aria-label="Pipeline command">
        {command}
      </Code>
      <CopyButton text={command} mt="xs" />
    </div>
  );
}

function ScrapeJobFacts({ job }: { job: ScrapeJob }) {
  const isManual = job.parser_type === 'manual';
  const transform = transformOptions.find(({ value }) => value === job.version_transform);
  return (
    <Facts
      facts={[
        [
          'Deployed',
          <VersionText key="version" version={job.latest_version} match={job.match} none="unknown" />,
        ],
        ['Last seen', <RelativeTime key="seen" at={job.latest_version_at} />],
        ['Parser', parserLabel(job.parser_type)],
        !isManual && ['Status', <JobStatusMark key="status" job={job} />],
        job.repository_url !== null && ['Repository', job.repository_url],
        job.ref !== null && ['Branch, tag, or commit', job.ref],
        job.target_file !== null && [job.repository_url === null ? 'Object' : 'File', job.target_file],
        job.url !== null && [job.source === 'prometheus' ? 'Prometheus server' : 'URL', job.url],
        job.query !== null && ['Query', <Code key="query">{job.query}</Code>],
        job.label !== null && ['Version label', <Code key="label">{job.label}</Code>],
        Object.keys(job.series).length > 0 && [
          'Series',
          <Code key="series">{formatSeries(job.series)}</Code>,
        ],
        job.parse_expression !== null && ['Expression', <Code key="expression">{job.parse_expression}</Code>],
        ['Version transform', transform?.label],
        ...(isManual ? [] : runFacts(job)),
        job.credential_name !== null && ['Credential', job.credential_name],
        ['Versions to keep', job.history_limit.toLocaleString('en')],
        Object.keys(job.labels).length > 0 && [
          'Labels',
          <LabelList key="labels" labels={job.labels} to="/alert-configs" />,
        ],
        ['Created', <RelativeTime key="made" at={job.created_at} />],
      ]}
    />
  );
}
