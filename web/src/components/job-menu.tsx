import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useHasRole } from '../api/use-me.ts';
import { RowMenu } from '../ui/row-menu.tsx';
import { type JobKind, useJobActions } from './use-job-actions.tsx';

interface JobProps {
  kind: JobKind;
  job: { id: number; name: string; is_active: boolean };
  /** True if the job can't run, because versions are set manually or the source has only a lifecycle. */
  neverRuns?: boolean;
  children?: React.ReactNode;
}

/**
 * Actions menu of a job's row.
 * @param children Additional `Menu.Item` elements.
 * @param leave Navigates away after deletion, for a menu on the page of the job.
 */
export function JobMenu({
  kind,
  job,
  neverRuns,
  leave,
  children,
}: JobProps & { leave?: () => Promise<unknown> }) {
  const { run, toggle, confirmDelete } = useJobActions(kind, job, leave);
  return (
    <RowMenu label={`Actions for ${job.name}`}>
      {children}
      {!neverRuns && <Menu.Item onClick={run}>Run now</Menu.Item>}
      {!neverRuns && <Menu.Item onClick={toggle}>{job.is_active ? 'Disable' : 'Enable'}</Menu.Item>}
      <Menu.Item c="var(--severity-critical)" onClick={() => void confirmDelete()}>
        Delete
      </Menu.Item>
    </RowMenu>
  );
}

/**
 * Buttons with the same actions as `JobMenu`, in the header of the job's page.
 * @param children Additional buttons, placed before the others.
 */
export function JobButtons({
  kind,
  job,
  neverRuns,
  children,
  list,
}: JobProps & { list: '/gather-jobs' | '/scrape-jobs' | '/helm-sync-jobs' | '/discovery' }) {
  const navigate = useNavigate();
  const leave = () => navigate({ to: list });
  const { run, isStarting, toggle, isToggling, confirmDelete } = useJobActions(kind, job, leave);
  if (!useHasRole('member')) return null;
  return (
    <>
      {!neverRuns && (
        <Button variant="default" loading={isStarting} onClick={run}>
          Run now
        </Button>
      )}
      {children}
      {!neverRuns && (
        <Button variant="default" loading={isToggling} onClick={toggle}>
          {job.is_active ? 'Disable' : 'Enable'}
        </Button>
      )}
      <Button variant="default" c="var(--severity-critical)" onClick={() => void confirmDelete()}>
        Delete
      </Button>
    </>
  );
}
