import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { GatherJobForm } from './gather-job-form.tsx';

type GatherJob = Schemas['GatherJob'];

/** Dialog that edits an upstream source. */
export function EditGatherJob({
  job,
  isOpen,
  close,
}: {
  job: GatherJob;
  isOpen: boolean;
  close: () => void;
}) {
  const update = useAction('updateGatherJob', { quiet: true, done: 'Upstream source saved' });
  return (
    <EditDialog
      title="Edit upstream source"
      resource={job}
      isOpen={isOpen}
      close={close}
      update={update.mutateAsync}
    >
      {(opened, form) => (
        <GatherJobForm job={opened} {...form} save={(body) => form.save(changesOf(opened, body))} />
      )}
    </EditDialog>
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
