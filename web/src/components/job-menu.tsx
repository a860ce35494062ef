import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useCan } from '../api/use-me.ts';
import { RowMenu } from '../ui/row-menu.tsx';
import { type JobKind, useJobActions } from './use-job-actions.tsx';

interface JobProps {
  kind: JobKind;
  job: { id: number; name: string; is_active: boolean };
  /** Versions set by hand: nothing to run. */
  isManual?: boolean;
  children?: React.ReactNode;
}

/** The menu of a job's row. @param children further Menu.Items. */
export function JobMenu({ kind, job, isManual, children }: JobProps) {
  const { run, toggle, confirmDelete } = useJobActions(kind, job);
  return (
    <RowMenu label={`Actions for ${job.name}`}>
      {children}
      {!isManual && <Menu.Item onClick={run}>Run now</Menu.Item>}
      {!isManual && <Menu.Item onClick={toggle}>{job.is_active ? 'Disable' : 'Enable'}</Menu.Item>}
      <Menu.Item c="var(--severity-critical)" onClick={() => void confirmDelete()}>
        Delete
      </Menu.Item>
    </RowMenu>
  );
}

/** The same as buttons, at the head of a job's own page. @param children further buttons, before the others. */
export function JobButtons({
  kind,
  job,
  isManual,
  children,
  list,
}: JobProps & { list: '/gather-jobs' | '/scrape-jobs' | '/helm-sync-jobs' | '/discovery' }) {
  const navigate = useNavigate();
  const leave = () => navigate({ to: list });
  const { run, isStarting, toggle, isToggling, confirmDelete } = useJobActions(kind, job, leave);
  if (!useCan('member')) return null;
  return (
    <>
      {!isManual && (
        <Button variant="default" loading={isStarting} onClick={run}>
          Run now
        </Button>
      )}
      {children}
      {!isManual && (
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
