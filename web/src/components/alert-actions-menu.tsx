import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconBellOff,
  IconBellRinging,
  IconCalendar,
  IconCheck,
  IconChevronDown,
  IconCircleCheck,
  IconEyeOff,
  IconRotate,
  IconVolumeOff,
} from '@tabler/icons-react';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { useAction } from '../api/use-action.ts';
import { useHasRole } from '../api/use-me.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { isSnoozedAlert, type Snooze } from './alert-labels.ts';
import { criteriaOf } from './silence-criteria.ts';
import { SilenceDialog } from './silence-dialog.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import { useAcknowledge } from './use-acknowledge.ts';
import { useIgnoreRelease } from './use-ignore-release.ts';

type Alert = Pick<
  Schemas['Alert'],
  'id' | 'status' | 'alert_config_name' | 'alert_config_id' | 'latest_version' | 'labels' | 'rule_id'
> &
  Snooze;

const hourMs = 3_600_000;
const snoozes = [
  { label: '1 hour', ms: hourMs },
  { label: '1 day', ms: 24 * hourMs },
  { label: '1 week', ms: 7 * 24 * hourMs },
] as const;

/** Menu with the actions for an open alert, at the end of a row. */
export function AlertActionsMenu({ alert }: { alert: Alert }) {
  const [isAskingDate, date] = useDisclosure(false);
  const [isSilencing, silence] = useDisclosure(false);
  const isAllowed = useHasRole('member');
  if (!isAllowed || alert.status === 'resolved') return null;
  return (
    <>
      <RowMenu label={`Actions for ${alert.alert_config_name}`}>
        <AcknowledgeItem alert={alert} />
        <OtherItems alert={alert} askDate={date.open} askSilence={silence.open} />
      </RowMenu>
      {isAskingDate && <SnoozeDialog alertId={alert.id} onClose={date.close} />}
      {isSilencing && <SilenceDialog criteria={criteriaOf([alert])} onClose={silence.close} />}
    </>
  );
}

/** Buttons with the same actions as `AlertActionsMenu`, in the header of the alert page. */
export function AlertActionButtons({ alert }: { alert: Alert }) {
  const [isAskingDate, date] = useDisclosure(false);
  const [isSilencing, silence] = useDisclosure(false);
  const isAllowed = useHasRole('member');
  const acknowledge = useAcknowledge();
  if (!isAllowed || alert.status === 'resolved') return null;
  const isOpen = alert.status === 'unacknowledged';
  return (
    <>
      <Button
        variant={isOpen ? 'filled' : 'default'}
        onClick={() => acknowledge.mutate({ id: alert.id, to: isOpen ? 'acknowledged' : 'unacknowledged' })}
      >
        {isOpen ? 'Acknowledge' : 'Unacknowledge'}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={15} aria-hidden />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <OtherItems alert={alert} askDate={date.open} askSilence={silence.open} />
        </Menu.Dropdown>
      </Menu>
      {isAskingDate && <SnoozeDialog alertId={alert.id} onClose={date.close} />}
      {isSilencing && <SilenceDialog criteria={criteriaOf([alert])} onClose={silence.close} />}
    </>
  );
}

function AcknowledgeItem({ alert: { id, status } }: { alert: Alert }) {
  const acknowledge = useAcknowledge();
  return status === 'unacknowledged' ? (
    <Menu.Item
      leftSection={<IconCheck size={15} />}
      onClick={() => acknowledge.mutate({ id, to: 'acknowledged' })}
    >
      Acknowledge
    </Menu.Item>
  ) : (
    <Menu.Item
      leftSection={<IconRotate size={15} />}
      onClick={() => acknowledge.mutate({ id, to: 'unacknowledged' })}
    >
      Unacknowledge
    </Menu.Item>
  );
}

function OtherItems({
  alert,
  askDate,
  askSilence,
}: {
  alert: Alert;
  askDate: () => void;
  askSilence: () => void;
}) {
  const isSnoozed = isSnoozedAlert(alert);
  const confirm = useConfirm();
  const snooze = useAction('snoozeAlert', { done: 'Alert snoozed' });
  const unsnooze = useAction('unsnoozeAlert', { done: 'Snooze ended' });
  const resolve = useAction('resolveAlert', { done: 'Alert resolved' });
  const ignore = useIgnoreRelease();
  const path = { id: alert.id };
  const onResolve = async () => {
    const isSure = await confirm({
      title: 'Resolve this alert?',
      body: `${alert.alert_config_name} won't alert again until its deployed version changes or the severity goes up.`,
      confirm: 'Resolve',
    });
    if (isSure) resolve.mutate({ path });
  };
  return (
    <>
      <Menu.Item leftSection={<IconCircleCheck size={15} />} onClick={() => void onResolve()}>
        Resolve
      </Menu.Item>
      {alert.latest_version !== null && (
        <Menu.Item
          leftSection={<IconEyeOff size={15} />}
          onClick={() => void ignore(alert.alert_config_id, alert.latest_version ?? '')}
        >
          Ignore {alert.latest_version}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconVolumeOff size={15} />} onClick={askSilence}>
        Silence alerts like this
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>{isSnoozed ? 'Snoozed' : 'Snooze notifications'}</Menu.Label>
      {isSnoozed && (
        <Menu.Item leftSection={<IconBellRinging size={15} />} onClick={() => unsnooze.mutate({ path })}>
          End snooze
        </Menu.Item>
      )}
      {snoozes.map(({ label, ms }) => (
        <Menu.Item
          key={label}
          leftSection={<IconBellOff size={15} />}
          onClick={() => snooze.mutate({ path, body: { until: new Date(Date.now() + ms).toISOString() } })}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Item leftSection={<IconCalendar size={15} />} onClick={askDate}>
        Custom date
      </Menu.Item>
      <Menu.Item
        leftSection={<IconBellOff size={15} />}
        onClick={() => snooze.mutate({ path, body: { until_version_changes: true } })}
      >
        Until a version changes
      </Menu.Item>
    </>
  );
}
