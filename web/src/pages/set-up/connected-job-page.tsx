import { Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { JobStatusMark } from '../../components/job-status.tsx';
import { Loaded, Loading } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { pendingRetryError } from '../../components/retry-error.ts';
import { Section } from '../../ui/facts.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { InstallAgent } from '../discovery/install-agent.tsx';
import { RunAgainButton } from '../today/run-again.tsx';
import { isUnmonitored, useFoundItems } from './found-items.ts';
import { FoundSection } from './found-section.tsx';
import { MonitorSections } from './monitor-sections.tsx';
import classes from './set-up.module.css';

type DiscoveryJob = Schemas['DiscoveryJob'];

const parent = { to: '/connect', title: 'Connect' } as const;
/** Fallback polling interval if the change stream is disconnected. */
const pollIntervalMs = 5_000;

/** The steps of the setup after something is connected: what was found, the rule, and the receiver. */
export default function ConnectedJobPage() {
  const { id } = useParams({ from: '/shell/connect/$id' });
  const job = useApi('getDiscoveryJob', { path: { id: Number(id) } }, { refetchMs: pollIntervalMs });
  return (
    <Loaded query={job} parent={parent}>
      {(found) => (
        <div className={classes.page}>
          <PageHeader
            title={found.name}
            parent={parent}
            about="Choose what to track, a rule, and who gets notified. You can leave at any time and continue later."
          />
          {isScanned(found) ? <Steps job={found} /> : <Scan job={found} />}
        </div>
      )}
    </Loaded>
  );
}

/** True if a scan has succeeded, even if the next one is running or failed. */
function isScanned({ last_run, item_counts: { new: found, accepted, ignored } }: DiscoveryJob): boolean {
  return last_run?.status === 'succeeded' || found + accepted + ignored > 0;
}

function Scan({ job }: { job: DiscoveryJob }) {
  const needsAgent =
    (job.kind === 'kubernetes_cluster' && job.cluster_uid === null) ||
    (job.kind === 'container_host' && job.host_uid === null);
  const isFailed = job.last_run?.status === 'failed';
  const error = isFailed ? job.last_run?.error?.message : pendingRetryError(job);
  return (
    <>
      {needsAgent && <InstallAgent job={job} />}
      <Section
        title="Scan"
        actions={job.status === 'failed' && <RunAgainButton kind="discovery" id={job.id} name={job.name} />}
      >
        <Text component="div" size="sm" aria-live="polite">
          <JobStatusMark job={job} />
        </Text>
        <Text size="sm" c={error ? 'var(--severity-critical)' : 'var(--text-muted)'} mt={4}>
          {error ?? 'The versions appear here after the first scan, usually within a minute.'}
        </Text>
        {error && !isFailed && (
          <Text size="sm" c="var(--text-muted)">
            Pacekeeper retries the scan. The versions appear here after it succeeds.
          </Text>
        )}
        {error && (
          <TextLink {...resourceLink('discovery_job', job.id)} size="sm">
            Edit on its page
          </TextLink>
        )}
      </Section>
    </>
  );
}

function Steps({ job }: { job: DiscoveryJob }) {
  const items = useFoundItems(job);
  if (items.data === undefined)
    return items.error === null ? (
      <Loading />
    ) : (
      <ErrorNotice error={items.error} retry={() => void items.refetch()} />
    );
  const accepted = items.data.filter(({ status }) => status === 'accepted');
  const unmonitored = accepted.filter(isUnmonitored);
  return (
    <>
      <FoundSection
        // If a scan finds more items, a new key resets the selection to the default.
        key={job.item_counts.new}
        job={job}
        found={items.data.filter(({ status }) => status === 'new')}
        trackedCount={accepted.length}
      />
      {unmonitored.length > 0 && <MonitorSections items={unmonitored} />}
      {accepted.length > 0 && unmonitored.length === 0 && <Done items={accepted} />}
    </>
  );
}

function Done({ items }: { items: readonly Schemas['DiscoveredItem'][] }) {
  const count = items.filter(({ alert_config_id }) => alert_config_id !== null).length;
  return (
    <Section title="Monitoring">
      <Text size="sm" mb="sm">
        {count === 0
          ? 'None of these versions has a known source of releases, so none can be monitored. Choose sources on the Discovery page.'
          : count === items.length
            ? `${countOf(count, 'version is', 'versions are')} monitored.`
            : `${formatCount(count)} of ${countOf(items.length, 'version')} ${count === 1 ? 'is' : 'are'} monitored.`}
      </Text>
      <ButtonLink to="/">Go to Today</ButtonLink>
    </Section>
  );
}
