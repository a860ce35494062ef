import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useCan } from '../../api/use-me.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { VersionText } from '../../components/version-text.tsx';
import { Section } from '../../ui/facts.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import classes from './unmonitored-jobs.module.css';
import type { WholeFleet } from './use-fleet.ts';

const shownAtFirst = 10;

/** What is known to be deployed and compared with nothing: scrape jobs that no configuration uses. */
export function UnmonitoredJobs({ fleet }: { fleet: WholeFleet }) {
  const jobs = useApi('listScrapeJobsDropdown');
  const canWrite = useCan('member');
  const [isWhole, setWhole] = useState(false);
  // Nothing is said before everything is known: what is compared on an unread page would be called unmonitored.
  if (!fleet.isWhole || !jobs.data) return null;
  const used = new Set(fleet.configs.map(({ scrape_job_id }) => scrape_job_id));
  const unused = jobs.data.filter(({ id }) => !used.has(id));
  if (unused.length === 0) return null;
  const shown = isWhole ? unused : unused.slice(0, shownAtFirst);
  return (
    <Section title={`Not monitored (${unused.length.toLocaleString('en')})`}>
      <ul className={classes.list}>
        {shown.map(({ id, name, latest_version }) => (
          <li key={id}>
            <TextLink {...resourceLink('scrape_job', id)} size="sm" className={classes.name}>
              {name}
            </TextLink>
            <Text span size="sm">
              <VersionText version={latest_version} none="no version yet" />
            </Text>
            {canWrite && (
              <ButtonLink
                to="/alert-configs/new"
                search={{ scrape_job_id: String(id) }}
                variant="default"
                size="compact-sm"
                aria-label={`Create monitor for ${name}`}
              >
                Create monitor
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
      {shown.length < unused.length && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setWhole(true)}>
          Show all {unused.length.toLocaleString('en')}
        </Button>
      )}
    </Section>
  );
}
