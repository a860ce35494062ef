import { Box, Code } from '@mantine/core';
import { formatSeries } from '../../../../src/domain/prometheus/prometheus-series.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { JobStatusMark } from '../../components/job-status.tsx';
import { LabelList } from '../../components/label-list.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { jobRunFacts } from '../../components/run-facts.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { parserLabel, transformOptions } from './parser-types.ts';

/** True if the tracker has runs. Otherwise, its version is set manually, or the scans of a discovery job read it. */
export function runsItself({
  parser_type,
  discovery_job_id,
}: Pick<Schemas['ScrapeJob'], 'parser_type' | 'discovery_job_id'>): boolean {
  return parser_type !== 'manual' && discovery_job_id === null;
}

/** Shows where a version tracker reads the deployed version, which version it last read, and when. */
export function ScrapeJobFacts({ job }: { job: Schemas['ScrapeJob'] }) {
  const { discovery_job_id: discoveryJobId } = job;
  const hasRuns = runsItself(job);
  const transform = transformOptions.find(({ value }) => value === job.version_transform);
  return (
    <>
      {/* Labels are outside of the facts, whose columns are too narrow for them. */}
      {Object.keys(job.labels).length > 0 && (
        <Box mb="sm">
          <LabelList labels={job.labels} to="/software" />
        </Box>
      )}
      <Facts
        facts={[
          [
            'Deployed',
            <VersionText key="version" version={job.latest_version} match={job.match} none="unknown" />,
          ],
          ['Last seen', <RelativeTime key="seen" at={job.latest_version_at} />],
          ['Parser', parserLabel(job.parser_type)],
          hasRuns && ['Status', <JobStatusMark key="status" job={job} />],
          discoveryJobId !== null && [
            'Read by',
            <TextLink key="reader" {...resourceLink('discovery_job', discoveryJobId)} inherit>
              {job.discovery_job_name}
            </TextLink>,
          ],
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
          job.parse_expression !== null && [
            'Expression',
            <Code key="expression">{job.parse_expression}</Code>,
          ],
          job.version_transform !== 'none' && ['Version transform', transform?.label],
          ...(hasRuns ? jobRunFacts(job) : []),
          job.credential_name !== null && ['Credential', job.credential_name],
          ['Snapshots to keep', job.history_limit.toLocaleString('en')],
          ['Created', <RelativeTime key="made" at={job.created_at} />],
        ]}
      />
    </>
  );
}
