import { Code } from '@mantine/core';
import { sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { artifactText } from '../../components/artifact-text.ts';
import { hasRuns, JobStatusMark, ScopeMark } from '../../components/job-status.tsx';
import { MirrorText } from '../../components/mirror-text.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { jobRunFacts } from '../../components/run-facts.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { LifecycleProduct, PackageUrls, ProjectLink, VulnerabilityPackages } from './identity-facts.tsx';
import { LifecycleFacts } from './lifecycle-job.tsx';
import { versionSchemeLabels } from './version-scheme-labels.ts';

type GatherJob = Schemas['GatherJob'];

/** Shows the settings and the state of an upstream source. */
export function SourceFacts({ job }: { job: GatherJob }) {
  return job.source_type === 'lifecycle' ? <LifecycleFacts job={job} /> : <GatherJobFacts job={job} />;
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
        job.list_completeness === 'incomplete' && ['List', 'Incomplete: newer releases might be missing'],
        job.list_completeness === 'complete_at_top' && [
          'List',
          'Newest releases only: older ones might be missing',
        ],
        ...(hasRuns(job) ? jobRunFacts(job) : []),
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
