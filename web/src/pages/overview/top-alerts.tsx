import { Button, Group, Text } from '@mantine/core';
import { formatLag } from '../../../../src/domain/rules/format-lag.ts';
import { formatDaysLeft } from '../../../../src/domain/verdicts/format-support.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useCan } from '../../api/use-me.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { useAcknowledge } from '../../components/use-acknowledge.ts';
import { VersionText } from '../../components/version-text.tsx';
import { TextLink } from '../../ui/links.tsx';
import classes from './overview-page.module.css';

type Alert = Schemas['Alert'];
/** Lists the unacknowledged alerts in the order of the server, most severe first. */
export function TopAlerts({ alerts, open }: { alerts: readonly Alert[]; open: number }) {
  const isAllowed = useCan('member');
  const acknowledge = useAcknowledge();
  if (alerts.length === 0) {
    return (
      <Text size="sm" c="var(--text-muted)">
        {open === 0 ? 'No open alerts' : 'All open alerts are acknowledged.'}
      </Text>
    );
  }
  return (
    <ul className={classes.list}>
      {alerts.map((alert) => (
        <li key={alert.id}>
          <div className={classes.line}>
            <TextLink {...resourceLink('alert', alert.id)} size="sm" fw={500}>
              {alert.alert_config_name}
            </TextLink>
            <Group gap="xs">
              <Text span size="sm">
                <SeverityMark severity={alert.severity} />
              </Text>
              {isAllowed && (
                <Button
                  variant="default"
                  size="compact-xs"
                  aria-label={`Acknowledge ${alert.alert_config_name}`}
                  onClick={() => acknowledge.mutate({ id: alert.id, to: 'acknowledged' })}
                >
                  Acknowledge
                </Button>
              )}
            </Group>
          </div>
          <Text size="xs" c="var(--text-muted)">
            <VersionText version={alert.discovered_version} />
            {alert.latest_version !== null && (
              <>
                {' → '}
                <VersionText version={alert.latest_version} />
              </>
            )}
            {alert.behind_by !== null && ` · ${formatLag(alert.behind_by, alert.rule_type)}`}
            {alert.days_left !== null && ` · ${formatDaysLeft(alert.days_left)}`}
          </Text>
        </li>
      ))}
    </ul>
  );
}
