import { Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useCan } from '../../api/use-me.ts';
import { artifactText } from '../../components/artifact-text.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { JobButtons } from '../../components/job-menu.tsx';
import { hasRuns, JobStatusMark, ScopeMark } from '../../components/job-status.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MirrorText } from '../../components/mirror-text.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { runFacts } from '../../components/run-facts.tsx';
import { RunsList } from '../../components/runs-list.tsx';
import { UsedBy } from '../../components/used-by.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { GatherJobForm } from './gather-job-form.tsx';
import { LifecycleProduct, PackageUrls, ProjectLink, VulnerabilityPackages } from './identity-facts.tsx';
import { JobLines } from './job-lines.tsx';
import { JobReleases } from './job-releases.tsx';
import { LifecycleFacts, LifecycleLines } from './lifecycle-job.tsx';
import { versionSchemeLabels } from './version-scheme-labels.ts';

type GatherJob = Schemas['GatherJob'];

const parent = { to: '/gather-jobs', title: 'Upstream sources' } as const;

export default function GatherJobPage() {
  const { id } = useParams({ from: '/shell/gather-jobs/$id' });
  const job = useApi('getGatherJob', { path: { id: Number(id) } });
  return (
    <Loaded query={job} parent={parent}>
      {(found) => <GatherJobDetail job={found} />}
    </Loaded>
  );
}

function GatherJobDetail({ job }: { job: GatherJob }) {
  const [isEditing, editing] = useDisclosure(false);
  const update = useAction('updateGatherJob', { quiet: true, done: 'Upstream source saved' });
  const canChange = useCan('member') && job.scope === 'organization';
  return (
    <>
      <PageHeader
        title={job.name}
        about={
          job.scope === 'global'
            ? 'Global source, shared with all organizations. You can use it in monitors; only the operator can change it.'
            : undefined
        }
        parent={parent}
        actions={
          canChange && (
            <JobButtons
              kind="gather"
              job={job}
              neverRuns={job.source_type === 'lifecycle'}
              list="/gather-jobs"
            >
              <Button variant="default" onClick={editing.open}>
                Edit
              </Button>
            </JobButtons>
          )
        }
      />
      <Section title="Details">
        {job.source_type === 'lifecycle' ? <LifecycleFacts job={job} /> : <GatherJobFacts job={job} />}
      </Section>
      {job.source_type === 'lifecycle' ? (
        <LifecycleLines product={job.artifact_name} />
      ) : (
        <>
          <JobLines job={job} canChange={canChange} />
          <JobReleases job={job} actions={canChange && <ClearReleases job={job} />} />
        </>
      )}
      <UsedBy filter={{ gather_job_id: job.id }} />
      {hasRuns(job) && <RunsList operationId="listGatherJobRuns" jobId={job.id} />}
      <EditDialog
        title="Edit upstream source"
        resource={job}
        isOpen={isEditing}
        close={editing.close}
        update={update.mutateAsync}
      >
        {(opened, form) => (
          <GatherJobForm job={opened} {...form} save={(body) => form.save(changesOf(opened, body))} />
        )}
      </EditDialog>
    </>
  );
}

/**
 * Returns the editable fields. The source and schedule of a job managed by a Helm sync job can't be edited.
 */
function changesOf(
  job: GatherJob,
  body: Schemas['CreateGatherJobRequest'],
): Schemas['UpdateGatherJobRequest'] {
  if (job.helm_sync_job_id === null) return body;
  const { name, version_scheme, version_pattern, include_prereleases, max_releases } = body;
  const { ignored_versions, counted_versions, purls, project_url, version_of, lifecycle_product } = body;
  const { vulnerability_packages } = body;
  return {
    name,
    version_scheme,
    version_pattern,
    include_prereleases,
    max_releases,
    ignored_versions,
    counted_versions,
    purls,
    project_url,
    version_of,
    lifecycle_product,
    vulnerability_packages,
  };
}

function GatherJobFacts({ job }: { job: GatherJob }) {
  return (
    <Facts
      facts={[
        ['Status', <JobStatusMark key="status" job={job} />],
        ['Artifact', artifactText(job.artifact_name)],
        job.is_archived === true && ['Repository', 'Archived'],
        job.is_deprecated === true && ['Chart', 'Deprecated'],
        ['Source type', sourceTypes[job.source_type].label],
        ['Scope', <ScopeMark key="scope" scope={job.scope} />],
        job.mirror !== null && [
          'In your mirror',
          <TextLink key="mirror" {...resourceLink('gather_job', job.mirror.gather_job_id)} inherit>
            <MirrorText mirror={job.mirror} />
          </TextLink>,
        ],
        job.mirror_of !== null && ['Mirror of', artifactText(job.mirror_of)],
        [job.mirror_of === null ? 'Latest' : 'Newest in your mirror', job.latest_version ?? 'none'],
        job.latest_stable_version !== job.latest_version && ['Latest stable', job.latest_stable_version],
        ['Latest release date', <RelativeTime key="released" at={job.latest_released_at} none="unknown" />],
        job.list_completeness === 'incomplete' && ['List', 'Incomplete: newer releases can be missing'],
        job.list_completeness === 'complete_at_top' && [
          'List',
          'Newest releases only: older ones can be missing',
        ],
        ...(hasRuns(job) ? runFacts(job) : []),
        job.managed_by !== null && [
          'Created by',
          <TextLink key="manager" {...resourceLink('discovery_job', job.managed_by.id)} inherit>
            {job.managed_by.name}
          </TextLink>,
        ],
        job.helm_sync_job_id !== null && [
          'Helm repository',
          <TextLink key="sync" {...resourceLink('helm_sync_job', job.helm_sync_job_id)} inherit>
            View Helm repository
          </TextLink>,
        ],
        job.version_pattern !== null && ['Version pattern', <Code key="pattern">{job.version_pattern}</Code>],
        job.source_options.version_field === 'app_version' && ['Version', 'App version of the chart'],
        job.source_options.version_path !== undefined && [
          'Version path',
          <Code key="path">{job.source_options.version_path}</Code>,
        ],
        job.source_options.date_path !== undefined && [
          'Date path',
          <Code key="dates">{job.source_options.date_path}</Code>,
        ],
        ['Version scheme', versionSchemeLabels[job.version_scheme]],
        ['Pre-releases', job.include_prereleases ? 'included' : 'excluded'],
        job.max_releases !== null && [
          'Releases to keep',
          `${job.max_releases.toLocaleString('en')} per variant`,
        ],
        job.ignored_versions.length > 0 && ['Ignored versions', job.ignored_versions.join(', ')],
        job.counted_versions.length > 0 && ['Counted versions', job.counted_versions.join(', ')],
        job.platform_words.length > 0 && ['Platform words', job.platform_words.join(', ')],
        job.purls.length > 0 && ['Package URLs', <PackageUrls key="purls" purls={job.purls} />],
        job.project_url !== null && [
          'Project',
          <ProjectLink key="project" job={job} url={job.project_url} />,
        ],
        ['Lifecycle', <LifecycleProduct key="lifecycle" job={job} />],
        ['Vulnerabilities', <VulnerabilityPackages key="vulnerabilities" job={job} />],
        job.changelog_path !== null && ['Changelog', job.changelog_path],
        job.version_of === 'application' && ['Version of', 'Application in the chart'],
        job.credential_name !== null && ['Credential', job.credential_name],
        ['Created', <RelativeTime key="made" at={job.created_at} />],
      ]}
    />
  );
}

function ClearReleases({ job }: { job: GatherJob }) {
  const confirm = useConfirm();
  const clear = useAction('clearGatherJobReleases', {
    done: 'Releases cleared',
  });
  if (job.release_count === 0) return null;
  const onClear = async () => {
    const isSure = await confirm({
      title: `Clear releases of "${job.name}"?`,
      body: `This deletes ${job.release_count.toLocaleString('en')} releases. Monitors that use this source show "No data" until the next run collects them again.`,
      confirm: 'Clear releases',
      danger: true,
    });
    if (isSure) clear.mutate({ path: { id: job.id } });
  };
  return (
    <Button variant="default" size="xs" loading={clear.isPending} onClick={() => void onClear()}>
      Clear releases
    </Button>
  );
}
