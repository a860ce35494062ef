import { Text } from '@mantine/core';
import type { SourceTypeId } from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { JobStatusMark } from '../../components/job-status.tsx';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { ReleaseMark } from '../../components/release-marks.tsx';
import { pendingRetryError } from '../../components/retry-error.ts';
import { VersionText } from '../../components/version-text.tsx';
import { Mark } from '../../ui/mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { previewSentences } from '../gather-jobs/preview-sentences.ts';

type Preview = Schemas['PreviewGatherSourceResponse'];
type Shown = Preview['releases'][number] & { is_withdrawn?: boolean };

const shownCount = 5;

type Props = { preview: Preview; sourceType: SourceTypeId | null } | { gatherJob: Schemas['GatherJob'] };

const forges: readonly (SourceTypeId | null)[] = ['github_releases', 'gitlab_releases', 'gitea_releases'];

/** Lists the highest releases of a source, and explains which one is the latest. */
export function LatestReleases(props: Props) {
  return 'preview' in props ? <OfPreview {...props} /> : <OfJob gatherJob={props.gatherJob} />;
}

function OfPreview({
  preview: { releases, release_count, summary, is_complete },
  sourceType,
}: {
  preview: Preview;
  sourceType: SourceTypeId | null;
}) {
  if (summary === null || releases.length === 0)
    return (
      <Text size="sm">
        <Mark tone="high">No releases</Mark> The source can be read, but has no releases.{' '}
        {forges.includes(sourceType)
          ? 'Choose another source type, such as Git tags.'
          : 'Check the URL, or choose another source type.'}
      </Text>
    );
  const count = `${release_count.toLocaleString('en')}${is_complete ? '' : ' or more'}`;
  return (
    <Releases
      lead={
        <>
          <Mark tone="ok">Tested</Mark> {count} {release_count === 1 && is_complete ? 'release' : 'releases'}
        </>
      }
      releases={releases}
      summary={{ ...summary, is_complete: true }}
    />
  );
}

function OfJob({ gatherJob }: { gatherJob: Schemas['GatherJob'] }) {
  const { id, release_count } = gatherJob;
  const releases = useApi('listReleases', { query: { gather_job_id: id, limit: shownCount } });
  const summary = useApi('previewGatherJob', { body: { gather_job_id: id } });
  if (gatherJob.status === 'failed')
    return (
      <Text size="sm">
        <Mark tone="critical">Failed</Mark> {gatherJob.last_run?.error?.message}
      </Text>
    );
  if (release_count === 0)
    return (
      <Text size="sm">
        <JobStatusMark job={gatherJob} /> {pendingRetryError(gatherJob)}
      </Text>
    );
  if (!releases.data || !summary.data) return null;
  return (
    <Releases
      lead={`${release_count.toLocaleString('en')} ${release_count === 1 ? 'release' : 'releases'}`}
      releases={releases.data.items}
      summary={summary.data}
    />
  );
}

function Releases({
  lead,
  releases,
  summary,
}: {
  lead: React.ReactNode;
  releases: readonly Shown[];
  summary: NonNullable<Preview['summary']>;
}) {
  const latest = summary.latest?.version ?? null;
  return (
    <>
      <Text size="sm" mb={6}>
        {lead}
        {latest !== null && (
          <>
            , latest <strong>{latest}</strong>
          </>
        )}
      </Text>
      <RowsTable
        items={releases.slice(0, shownCount)}
        columns={columnsOf(latest)}
        name="latest releases"
        rowKey={({ version }) => version}
      />
      {previewSentences(summary, null).map((sentence) => (
        <Text key={sentence} size="sm" mt={4} c="var(--text-muted)" style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
      ))}
    </>
  );
}

const columnsOf = (latest: string | null): readonly Column<Shown>[] => [
  {
    header: 'Release',
    cell: ({ version }) => <VersionText version={version} />,
  },
  { header: 'Released', cell: ({ released_at }) => <RelativeTime at={released_at} none="unknown" /> },
  {
    header: 'State',
    cell: (release) =>
      release.version === latest ? (
        <Mark tone="ok">Latest</Mark>
      ) : (
        <ReleaseMark release={{ ...release, is_withdrawn: release.is_withdrawn ?? false }} />
      ),
    width: '7rem',
  },
];
