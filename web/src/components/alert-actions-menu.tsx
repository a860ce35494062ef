import { Button, Menu } from '@mantine/core';
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
import { useState } from 'react';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { useAction } from '../api/use-action.ts';
import { useHasRole } from '../api/use-me.ts';
import { RowMenu } from '../ui/row-menu.tsx';
import { isSnoozedAlert, type Snooze } from './alert-labels.ts';
import { ChangeAlertsDialog } from './change-alerts-dialog.tsx';
import { SilenceDialog } from './silence-dialog.tsx';
import { useAcknowledge } from './use-acknowledge.ts';
import { useIgnoreRelease } from './use-ignore-release.ts';

type Alert = Pick<
  Schemas['Alert'],
  | 'id'
  | 'status'
  | 'severity'
  | 'alert_config_name'
  | 'alert_config_id'
  | 'latest_version'
  | 'labels'
  | 'rule_id'
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
  const [asked, setAsked] = useState<Asked | null>(null);
  const isAllowed = useHasRole('member');
  if (!isAllowed || alert.status === 'resolved') return null;
  return (
    <>
      <RowMenu label={`Actions for ${alert.alert_config_name}`}>
        <AcknowledgeItem alert={alert} />
        <OtherItems alert={alert} ask={setAsked} />
      </RowMenu>
      {asked !== null && <AlertDialog asked={asked} alert={alert} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Buttons with the same actions as `AlertActionsMenu`, in the header of the alert page. */
export function AlertActionButtons({ alert }: { alert: Alert }) {
  const [asked, setAsked] = useState<Asked | null>(null);
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
          <OtherItems alert={alert} ask={setAsked} />
        </Menu.Dropdown>
      </Menu>
      {asked !== null && <AlertDialog asked={asked} alert={alert} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Actions that open a dialog. */
type Asked = 'resolve' | 'snooze' | 'silence';

/** Shows the dialog of an action. Changes have the same dialog as those of several alerts. */
function AlertDialog({ asked, alert, onClose }: { asked: Asked; alert: Alert; onClose: () => void }) {
  return asked === 'silence' ? (
    <SilenceDialog alerts={[alert]} onClose={onClose} />
  ) : (
    <ChangeAlertsDialog
      action={asked}
      ids={[alert.id]}
      snoozeFor="custom"
      onClose={onClose}
      onDone={onClose}
    />
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

function OtherItems({ alert, ask }: { alert: Alert; ask: (asked: Asked) => void }) {
  const isSnoozed = isSnoozedAlert(alert);
  const snooze = useAction('snoozeAlert', { done: 'Alert snoozed' });
  const unsnooze = useAction('unsnoozeAlert', { done: 'Snooze ended' });
  const ignore = useIgnoreRelease();
  const path = { id: alert.id };
  return (
    <>
      <Menu.Item leftSection={<IconCircleCheck size={15} />} onClick={() => ask('resolve')}>
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
      <Menu.Item leftSection={<IconVolumeOff size={15} />} onClick={() => ask('silence')}>
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
      <Menu.Item leftSection={<IconCalendar size={15} />} onClick={() => ask('snooze')}>
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
