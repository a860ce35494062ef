import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { Section } from '../../ui/facts.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import classes from './today-page.module.css';

type Today = Schemas['Today'];
type Owner = Today['owners'][number];

const shown = 12;

/** The parts of a bar, in their order, with the tones of their statuses. */
const parts = [
  ['needs_action', 'need action'],
  ['planned', 'planned'],
  ['snoozed', 'snoozed'],
  ['unknown', 'unknown'],
  ['ok', 'OK'],
] as const;

/** Shows the places of each team as a bar. A click selects the team. */
export function TeamBars({
  today: { owners, owner_count, owner_label },
  label,
  select,
}: {
  today: Today;
  label: string | null;
  select: (label: string | null) => void;
}) {
  const named = owners.filter(({ owner }) => owner !== null);
  const most = Math.max(1, ...owners.map(({ places }) => places.total));
  return (
    <Section
      title="Teams"
      actions={
        <Text span size="xs" c="var(--text-muted)">
          places that need action
        </Text>
      }
    >
      {named.length === 0 ? (
        <Text size="sm" c="var(--text-muted)">
          {`No teams yet. Add the label ${owner_label} to your version trackers or monitors, or choose another owner label in `}
          <TextLink to="/settings" inherit underline="always">
            Settings
          </TextLink>
          .
        </Text>
      ) : (
        <>
          <ul className={classes.legend} aria-label="Legend">
            {parts.map(([status, word]) => (
              <li key={status}>
                <span className={classes.sample} data-status={status} aria-hidden />
                {word}
              </li>
            ))}
          </ul>
          <ul className={classes.teams}>
            {owners.slice(0, shown).map((each) => (
              <li key={each.owner}>
                <Team
                  owner={each}
                  most={most}
                  isSelected={each.owner !== null && label === `${owner_label}=${each.owner}`}
                  select={select}
                  labelKey={owner_label}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {named.length > 0 && owner_count > shown && (
        <Text size="xs" c="var(--text-muted)" mt="xs">
          {`${formatCount(owner_count - shown)} more in the team selection above.`}
        </Text>
      )}
      <NotCompared label={label} />
    </Section>
  );
}

/** Number of places that no monitor compares. They're in no bar, because nothing is known about their upgrades. */
function NotCompared({ label }: { label: string | null }) {
  const query = { state: 'unmonitored', ...(label !== null && { label }) } as const;
  const { data } = useApi('listSoftware', { query: { ...query, limit: 1 } });
  if (data === undefined || data.total === 0) return null;
  return (
    <Text size="xs" mt="xs">
      <TextLink to="/software" search={query} inherit>
        {`${data.total_is_exact ? '' : 'At least '}${countOf(data.total, 'place')} not compared by any monitor`}
      </TextLink>
    </Text>
  );
}

function Team({
  owner: { owner, places },
  most,
  isSelected,
  select,
  labelKey,
}: {
  owner: Owner;
  most: number;
  isSelected: boolean;
  select: (label: string | null) => void;
  labelKey: string;
}) {
  const words = parts
    .filter(([status]) => places[status] > 0)
    .map(([status, word]) => `${formatCount(places[status])} ${word}`)
    .join(', ');
  const content = (
    <>
      <span className={classes.teamName}>{owner ?? 'No team'}</span>
      <span className={classes.teamBar} aria-hidden>
        <span style={{ width: `${(100 * places.total) / most}%` }}>
          {parts.map(([status]) => (
            <span key={status} data-status={status} style={{ flexGrow: places[status] }} />
          ))}
        </span>
      </span>
      <span className={classes.teamCount}>
        {places.needs_action === 0 && places.unknown > 0
          ? `${formatCount(places.unknown)} unknown`
          : `${formatCount(places.needs_action)} of ${formatCount(places.total)}`}
      </span>
      <VisuallyHidden>places: {words}</VisuallyHidden>
    </>
  );
  if (owner === null)
    return (
      <div className={classes.team} title={words}>
        {content}
      </div>
    );
  return (
    <UnstyledButton
      className={classes.team}
      aria-pressed={isSelected}
      title={words}
      onClick={() => select(isSelected ? null : `${labelKey}=${owner}`)}
    >
      {content}
    </UnstyledButton>
  );
}
