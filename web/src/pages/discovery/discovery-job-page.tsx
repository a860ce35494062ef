import { Alert, Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { formatFound } from '../../components/job-found.ts';
import { JobButtons } from '../../components/job-menu.tsx';
import { FailedRunNotice, JobStatusMark, shownFailureOf } from '../../components/job-status.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { jobRunFacts } from '../../components/run-facts.tsx';
import { RunsList } from '../../components/runs-list.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ChartRepositories } from './chart-repositories.tsx';
import { CoverageSection } from './coverage-section.tsx';
import { DiscoveryJobForm } from './discovery-job-form.tsx';
import { forgeNames, GroupForm } from './group-form.tsx';
import { InstallAgent } from './install-agent.tsx';
import { ItemsSection } from './items-section.tsx';
import { ClusterForm, HostForm } from './live-job-form.tsx';
import { describeUnlisted, MovedNotice, RepositoriesSection } from './repositories-section.tsx';

type DiscoveryJob = Schemas['DiscoveryJob'];

const kinds = {
  git_repository: { name: 'repository', Form: DiscoveryJobForm, toCheck: 'the branch and the paths' },
  kubernetes_cluster: {
    name: 'cluster',
    Form: ClusterForm,
    toCheck: "the objects to include and the agent's role",
  },
  repository_group: {
    name: 'organization',
    Form: GroupForm,
    toCheck: 'the filter and the access of the credential',
  },
  container_host: {
    name: 'container host',
    Form: HostForm,
    toCheck: 'the projects to include and the containers on the host',
  },
} as const;

const parent = { to: '/discovery', title: 'Discovery' } as const;

export default function DiscoveryJobPage() {
  const { id } = useParams({ from: '/shell/discovery/$id' });
  const job = useApi('getDiscoveryJob', { path: { id: Number(id) } });
  return (
    <Loaded query={job} parent={parent}>
      {(found) => <DiscoveryJobDetail job={found} />}
    </Loaded>
  );
}

function DiscoveryJobDetail({ job }: { job: DiscoveryJob }) {
  const [isEditing, editing] = useDisclosure(false);
  const isAllowed = useHasRole('member');
  const { name: what, Form } = kinds[job.kind];
  const isUnread =
    (job.kind === 'kubernetes_cluster' && job.cluster_uid === null) ||
    (job.kind === 'container_host' && job.host_uid === null);
  const update = useAction('updateDiscoveryJob', {
    quiet: true,
    done: `${what[0]!.toUpperCase()}${what.slice(1)} saved`,
  });
  return (
    <>
      <PageHeader
        title={job.name}
        parent={parent}
        actions={
          <JobButtons kind="discovery" job={job} list="/discovery">
            {job.group_job_id === null && (
              <Button variant="default" onClick={editing.open}>
                Edit
              </Button>
            )}
          </JobButtons>
        }
      />
      <FailedRunNotice
        job={job}
        action={
          isAllowed &&
          job.group_job_id === null && (
            <Button variant="default" size="xs" onClick={editing.open}>
              {`Edit ${what}`}
            </Button>
          )
        }
      />
      {job.gone_held && <HeldNotice job={job} count={job.gone_held.count} />}
      {job.unlisted?.moved_to && !job.unlisted.is_confirmed && (
        <MovedNotice job={job} movedTo={job.unlisted.moved_to} />
      )}
      {job.repository_counts && <RepositoriesSection job={job} counts={job.repository_counts} />}
      {isUnread && <InstallAgent job={job} />}
      {isAllowed && job.kind === 'kubernetes_cluster' && job.item_counts.unresolved > 0 && (
        <ChartRepositories job={job} />
      )}
      <ItemsSection job={job} />
      {job.coverage && <CoverageSection coverage={job.coverage} />}
      <Section title="Details">
        <DiscoveryJobFacts job={job} />
      </Section>
      <RunsList operationId="listDiscoveryJobRuns" jobId={job.id} shownAbove={shownFailureOf(job)} />
      <EditDialog
        title={`Edit ${what}`}
        resource={job}
        isOpen={isEditing}
        close={editing.close}
        update={update.mutateAsync}
      >
        {(opened, form) => <Form job={opened} {...form} />}
      </EditDialog>
    </>
  );
}

/**
 * Notice shown while more than half of the accepted items are missing. Pacekeeper leaves the items unchanged until a
 * person confirms the loss.
 */
function HeldNotice({ job, count }: { job: DiscoveryJob; count: number }) {
  const confirm = useAction('confirmGoneItems', { done: 'Removal confirmed. Scan queued.' });
  const isAllowed = useHasRole('member');
  return (
    <Alert
      variant="outline"
      color="var(--severity-moderate)"
      title={
        job.kind === 'repository_group'
          ? `${formatCount(count)} repositories are no longer listed`
          : `The last scan missed ${formatCount(count)} items`
      }
      mb="md"
    >
      {job.kind === 'repository_group'
        ? `Two lists didn't include them. Pacekeeper hasn't changed their versions.${aboutMoved(job)}`
        : "That's more than half of them, so Pacekeeper changed nothing."}{' '}
      Check {kinds[job.kind].toCheck}. If the removal is correct, confirm it.
      {isAllowed && (
        <Button
          size="xs"
          variant="default"
          mt="xs"
          display="block"
          loading={confirm.isPending}
          onClick={() => confirm.mutate({ path: { id: job.id } })}
        >
          Confirm removal
        </Button>
      )}
    </Alert>
  );
}

/**
 * Describes how many of the missing repositories were moved. Users can follow a moved repository instead of
 * confirming its removal.
 */
function aboutMoved({ repository_counts }: DiscoveryJob): string {
  const count = repository_counts?.moved ?? 0;
  if (count === 0) return '';
  return ` ${formatCount(count)} ${count === 1 ? 'was' : 'were'} moved to another owner. To keep the history, follow ${count === 1 ? 'it' : 'them'} on ${count === 1 ? 'its page' : 'their pages'} before you confirm.`;
}

function DiscoveryJobFacts({ job }: { job: DiscoveryJob }) {
  const { item_counts: counts } = job;
  return (
    <Facts
      facts={[
        ['Status', <JobStatusMark key="status" job={job} />],
        job.repository_url !== null && ['Repository URL', job.repository_url],
        job.group_url !== null && ['URL', job.group_url],
        job.forge !== null && ['Platform', forgeNames[job.forge]],
        ...filterFacts(job.repository_filter),
        job.group_job_id !== null && [
          'Organization',
          <TextLink key="group" {...resourceLink('discovery_job', job.group_job_id)} inherit>
            Set by the organization
          </TextLink>,
        ],
        job.unlisted !== null && ['State', describeUnlisted(job.unlisted)],
        job.ref !== null && ['Branch or tag', job.ref],
        job.cluster_name !== null && ['Cluster name', job.cluster_name],
        job.cluster_uid !== null && ['Cluster UID', job.cluster_uid],
        job.host_name !== null && ['Host name', job.host_name],
        job.host_uid !== null && ['Host UID', job.host_uid],
        job.helm_secrets && ['Secrets of Helm releases', 'Read'],
        ['Accepted', formatCount(counts.accepted)],
        ['New', formatFound(counts.new, job)],
        counts.unresolved > 0 && ['New items without a source', formatCount(counts.unresolved)],
        counts.ignored > 0 && ['Ignored', formatCount(counts.ignored)],
        counts.gone > 0 && ['Gone', formatCount(counts.gone)],
        counts.replaced > 0 && ['Replaced', formatCount(counts.replaced)],
        job.include.length > 0 && ['Paths to include', <Code key="include">{job.include.join(' ')}</Code>],
        job.exclude.length > 0 && ['Paths to exclude', <Code key="exclude">{job.exclude.join(' ')}</Code>],
        job.custom_extractors.length > 0 && [
          'Custom patterns',
          job.custom_extractors.map(({ name }) => name).join(', '),
        ],
        ...jobRunFacts(job),
        job.credential_name !== null && ['Credential', job.credential_name],
        ['Created', <RelativeTime key="made" at={job.created_at} />],
      ]}
    />
  );
}

/** Lists the conditions of a filter that exclude repositories. */
function filterFacts(filter: DiscoveryJob['repository_filter']) {
  if (filter === null) return [];
  const { include = [], exclude = [], topics = [], languages = [], archived = false, forks = false } = filter;
  const code = (texts: string[]) => <Code key={texts.join(' ')}>{texts.join(' ')}</Code>;
  return [
    include.length > 0 && (['Repositories to include', code(include)] as const),
    exclude.length > 0 && (['Repositories to exclude', code(exclude)] as const),
    topics.length > 0 && (['Topics', topics.join(', ')] as const),
    languages.length > 0 && (['Languages', languages.join(', ')] as const),
    ['Archived repositories', archived ? 'Read' : 'Excluded'] as const,
    ['Forks', forks ? 'Read' : 'Excluded'] as const,
  ];
}
