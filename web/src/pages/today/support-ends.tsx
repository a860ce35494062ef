import { Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { SupportEndTime } from '../../components/support/support-end-time.tsx';
import { Section } from '../../ui/facts.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { groupSupportEnds } from './group-support-ends.ts';
import classes from './today-page.module.css';

type Today = Schemas['Today'];

const days = 30;
const limit = 200;
const shown = 5;

/** Shows support that ends soon, and alerts about vulnerabilities that opened. */
export function SupportEnds({
  label,
  opened,
  sources,
}: {
  label: string | null;
  /** Number of alerts about known vulnerabilities that opened in the selected period. */
  opened: Today['changes']['known_vulnerabilities'];
  sources: Schemas['Overview']['reference_sources'];
}) {
  const ofTeam = label === null ? {} : { label };
  const { data, error } = useApi('getSupport', { query: { days, limit, ...ofTeam } }, { keepPrevious: true });
  return (
    <Section title="Support and vulnerabilities">
      <Text size="sm" mb="xs">
        {opened > 0
          ? `${countOf(opened, 'alert')} about known vulnerabilities opened.`
          : sources.some(({ name, as_of }) => name === 'vulnerabilities' && as_of !== null)
            ? 'No alert about known vulnerabilities opened.'
            : 'Known vulnerabilities: no data yet'}
      </Text>
      {data === undefined ? (
        <Text size="sm" c="var(--text-muted)">
          {error === null ? 'Loading…' : "Can't load the ends of support. Reload the page to try again."}
        </Text>
      ) : (
        <Ends support={data} ofTeam={ofTeam} />
      )}
    </Section>
  );
}

function Ends({ support, ofTeam }: { support: Schemas['Support']; ofTeam: { label?: string } }) {
  const { soon, endedCount } = groupSupportEnds(support.items);
  const unknown = support.unknown.reduce((sum, { count }) => sum + count, 0);
  const isCut = support.total > support.items.length;
  return (
    <>
      {soon.length > 0 && (
        <ul className={classes.list}>
          {soon.slice(0, shown).map(({ name, places, endsAt, isUrgent }) => (
            <li key={name} className={classes.line}>
              <Text span size="sm">
                <TextLink to="/support" search={{ days: String(days), ...ofTeam }} inherit fw={500}>
                  {name}
                </TextLink>
                <Text span size="xs" fw={400} c="var(--text-muted)">
                  {` · ${places === 1 ? '1 place runs' : `${formatCount(places)} places run`} it`}
                </Text>
              </Text>
              <Text span size="sm" className={isUrgent ? classes.urgent : classes.soon}>
                <SupportEndTime at={endsAt} />
              </Text>
            </li>
          ))}
        </ul>
      )}
      <Text size="sm" c="var(--text-muted)" mt={soon.length > 0 ? 'xs' : 0}>
        {soon.length === 0 && support.items.length + unknown === 0 && 'Support: no data yet'}
        {soon.length === 0 &&
          support.items.length + unknown > 0 &&
          !isCut &&
          `No known end of support in the next ${days} days. `}
        {soon.length > shown && `${formatCount(soon.length - shown)} more end in the next ${days} days. `}
        {endedCount > 0 && (
          <TextLink to="/support" search={{ days: '0', ...ofTeam }} inherit underline="always">
            {`${isCut ? 'At least ' : ''}${countOf(endedCount, 'place')} without support`}
          </TextLink>
        )}
        {endedCount > 0 && unknown > 0 && '. '}
        {unknown > 0 && (
          <TextLink to="/support" search={ofTeam} inherit underline="always">
            {`${countOf(unknown, 'place')} without a known date`}
          </TextLink>
        )}
      </Text>
    </>
  );
}
