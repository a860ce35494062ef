import { Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatCount, formatDay } from '../../ui/format.ts';
import { SeverityMark } from '../severity.tsx';
import { VersionText } from '../version-text.tsx';
import classes from './history-simulation.module.css';

/**
 * Alerts of a simulation, newest first.
 * @param total Number of all alerts, of which `alerts` contains the newest.
 */
export function SimulatedAlerts({
  alerts,
  total,
}: {
  alerts: readonly Schemas['SimulatedAlert'][];
  total: number;
}) {
  if (alerts.length === 0) return null;
  return (
    <details className={classes.details}>
      <summary>View alerts ({formatCount(total)})</summary>
      <section className={classes.scroll} aria-label="Alerts" tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Monitor</th>
              <th scope="col">Opened</th>
              <th scope="col">Severity</th>
              <th scope="col">Resolved</th>
              <th scope="col">Versions</th>
            </tr>
          </thead>
          <tbody>
            {alerts.map((alert) => (
              <tr key={`${alert.alert_config?.id} ${alert.opened_at}`}>
                <td>{alert.alert_config?.name ?? 'This monitor'}</td>
                <td>{alert.is_open_at_start ? 'earlier' : dayOf(alert.opened_at)}</td>
                <td>
                  <SeverityMark severity={alert.severity} />
                  {alert.escalations.map(({ at, severity }) => (
                    <div key={at}>
                      <SeverityMark severity={severity} /> {dayOf(at)}
                    </div>
                  ))}
                </td>
                <td>{alert.resolved_at === null ? 'still open' : dayOf(alert.resolved_at)}</td>
                <td>
                  <VersionText version={alert.discovered_version} />
                  {alert.latest_version !== null && (
                    <>
                      {' → '}
                      <VersionText version={alert.latest_version} />
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {total > alerts.length && (
        <Text size="xs" c="var(--text-muted)">
          The newest {formatCount(alerts.length)} are shown.
        </Text>
      )}
    </details>
  );
}

function dayOf(at: string): string {
  return formatDay(new Date(at));
}
