import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { trailSentence, trailTone } from '../../components/trail-sentence.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './alert-trail.module.css';

const shownAtFirst = 20;
const mostShown = 200;

/** Shows the activity of an alert as a timeline of sentences, newest first. */
export function AlertTrail({ alertId }: { alertId: number }) {
  const [limit, setLimit] = useState(shownAtFirst);
  const input = { path: { id: alertId }, query: { limit } };
  const entries = useApi('listAlertActions', input, { keepPrevious: true });
  return (
    <Loaded query={entries}>
      {({ items, total }) => (
        <>
          <ol className={classes.trail}>
            {items.map((entry) => (
              <li key={entry.id} data-tone={trailTone(entry)}>
                <span className={classes.sentence}>{trailSentence(entry)}</span>
                <Text span size="xs" c="var(--text-muted)">
                  <RelativeTime at={entry.created_at} />
                </Text>
              </li>
            ))}
          </ol>
          {total > items.length && limit < mostShown && (
            <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setLimit(mostShown)}>
              Show {Math.min(total, mostShown) - items.length} older
            </Button>
          )}
          {total > mostShown && limit >= mostShown && (
            <Text size="xs" mt="xs" c="var(--text-muted)">
              The newest {mostShown} of {total.toLocaleString('en')} entries.
            </Text>
          )}
        </>
      )}
    </Loaded>
  );
}
