import { Text } from '@mantine/core';
import { describeForecast } from '../../../../src/domain/replay/forecast-text.ts';
import { useApi } from '../../api/use-api.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { TextLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './overview-page.module.css';

const shown = 5;

/** Shows how many monitors cross a threshold in the next 30 days, and the earliest of them. */
export function UpcomingCrossings() {
  const { data: forecast, error } = useApi('getForecast', { query: { limit: shown } });
  if (error !== null || forecast === undefined) {
    return (
      <Text size="sm" c="var(--text-muted)">
        {error === null ? 'Loading…' : "Can't calculate the forecast. Reload the page to try again."}
      </Text>
    );
  }
  return (
    <>
      <Text size="sm" mb="xs">
        {describeForecast(forecast, 30, { one: 'monitor', many: 'monitors' })}
      </Text>
      <ul className={classes.list}>
        {forecast.items.map(({ alert_config, severity, at }) => (
          <li key={`${alert_config.id} ${severity}`} className={classes.line}>
            <TextLink {...resourceLink('alert_config', alert_config.id)} size="sm" fw={500}>
              {alert_config.name}
            </TextLink>
            <Text span size="sm">
              <SeverityMark severity={severity} /> <RelativeTime at={at} />
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}
