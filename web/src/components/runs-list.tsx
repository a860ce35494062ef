import { Text } from '@mantine/core';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { Section } from '../ui/facts.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { RunStatusMark } from './job-status.tsx';
import { type Column, ShortList } from './list/index.ts';
import { describeRunChanges, formatRunDuration, timeOfRun, triggerLabels } from './run-changes.ts';

type Run = Schemas['Run'];

const columnsFor = (what: 'release' | 'version', shownAbove: Run | null): readonly Column<Run>[] => [
  {
    header: 'Run',
    cell: (run) => <RelativeTime at={timeOfRun(run)} />,
    width: '8rem',
  },
  { header: 'Status', cell: (run) => <RunStatusMark run={run} />, width: '7.5rem' },
  {
    header: 'Result',
    cell: (run) => <RunDetails run={run} what={what} isShownAbove={run.id === shownAbove?.id} />,
    width: 'minmax(0, 3fr)',
  },
  { header: 'Trigger', cell: ({ trigger }) => triggerLabels[trigger], wideOnly: true, width: '11rem' },
  {
    header: 'Duration',
    cell: ({ duration_ms }) => (duration_ms === null ? '' : formatRunDuration(duration_ms)),
    width: '5rem',
    align: 'end',
  },
];

function RunDetails({
  run,
  what,
  isShownAbove,
}: {
  run: Run;
  what: 'release' | 'version';
  isShownAbove: boolean;
}) {
  const warnings = run.summary?.warnings ?? [];
  const skipped = run.summary?.skipped_examples ?? [];
  const more = [
    ...warnings,
    ...skipped.map(
      ({ name, reason }) => `${what === 'release' ? 'Excluded' : 'Not proposed:'} ${name}: ${reason}`,
    ),
  ];
  return (
    <Text
      span
      inherit
      style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}
      title={more.join('\n') || undefined}
    >
      {run.error && (
        <Text
          span
          inherit
          c={run.status === 'failed' && !isShownAbove ? 'var(--severity-critical)' : 'var(--text-muted)'}
        >
          {isShownAbove ? 'Error shown above' : run.error.message}
        </Text>
      )}
      {run.attempt > 1 && ` (attempt ${run.attempt})`} {describeRunChanges(run, what)}
    </Text>
  );
}

/** Section with the latest runs of a job of any kind: their time, status, and changes. */
export function RunsList({
  operationId,
  jobId,
  shownAbove = null,
}: {
  operationId: 'listGatherJobRuns' | 'listScrapeJobRuns' | 'listHelmSyncJobRuns' | 'listDiscoveryJobRuns';
  jobId: number;
  /** Run whose error the page already shows. */
  shownAbove?: Run | null;
}) {
  return (
    <Section title="Runs">
      <ShortList
        operationId={operationId}
        path={{ id: jobId }}
        columns={columnsFor(operationId === 'listDiscoveryJobRuns' ? 'version' : 'release', shownAbove)}
        name="runs"
        rowKey={({ id }) => id}
        empty="No runs yet"
      />
    </Section>
  );
}
