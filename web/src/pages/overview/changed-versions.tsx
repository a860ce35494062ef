import { Text } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { VersionText } from '../../components/version-text.tsx';
import { TextLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './overview-page.module.css';

const shown = 5;

/**
 * Lists the deployed versions that changed within a day.
 * @param since Start of the day, in RFC 3339 format.
 */
export function ChangedVersions({ since }: { since: string }) {
  const { data, error } = useApi(
    'listVersions',
    { query: { changes_only: true, since, limit: shown } },
    { keepPrevious: true },
  );
  if (error !== null || data === undefined || data.items.length === 0) {
    const note = data === undefined ? 'Loading…' : 'No deployed versions changed.';
    return (
      <Text size="sm" c="var(--text-muted)">
        {error === null ? note : "Can't load version changes. Reload the page to try again."}
      </Text>
    );
  }
  return (
    <ul className={classes.list}>
      {data.items.map(({ id, scrape_job_id, scrape_job_name, version, discovered_at }) => (
        <li key={id} className={classes.line}>
          <TextLink {...resourceLink('software', scrape_job_id)} size="sm" fw={500}>
            {scrape_job_name}
          </TextLink>
          <Text span size="sm">
            <VersionText version={version} />{' '}
            <Text span size="xs" c="var(--text-muted)">
              <RelativeTime at={discovered_at} />
            </Text>
          </Text>
        </li>
      ))}
    </ul>
  );
}
