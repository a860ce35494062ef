import { ActionIcon, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import type { RuleOutcome } from './evaluate-rules.ts';
import { formatCriteria, formatMismatch } from './format-criteria.ts';
import { RuleChannels } from './rule-channels.tsx';
import classes from './rule-list.module.css';
import { RuleMatches } from './rule-matches.tsx';
import { RuleState } from './rule-state.tsx';
import { formatNoChannelReason } from './simulation-labels.ts';

/**
 * Shows a rule: its criteria, its channels, its number of matches, and its outcome for the simulated alert.
 */
export function RuleCard({
  rule,
  place,
  nameOfRule,
  outcome,
  move,
}: {
  rule: Schemas['NotificationRule'];
  /** Position in the evaluation order, starting at 1. */
  place: number;
  nameOfRule: (id: number) => string | undefined;
  outcome: RuleOutcome | undefined;
  /** Functions that move the rule. Undefined if the rule can't be moved. */
  move?: { up: (() => void) | null; down: (() => void) | null };
}) {
  return (
    <li className={classes.rule} data-outcome={outcome?.kind}>
      <span className={classes.place} title={`Priority ${rule.priority}`}>
        {place}
      </span>
      <div className={classes.body}>
        <div className={classes.head}>
          <TextLink {...resourceLink('notification_rule', rule.id)} fw={600} size="sm">
            {rule.name}
          </TextLink>
          <Text span size="sm">
            <RuleState rule={rule} />
          </Text>
        </div>
        <Text size="sm">
          {formatCriteria(rule, nameOfRule)} →{' '}
          <RuleChannels ids={rule.channel_ids} toOwner={rule.route_to_owner} />
          {rule.stop_processing && '; stops here'}
        </Text>
        <Text size="xs" c="var(--text-muted)">
          <RuleMatches id={rule.id} />
        </Text>
        {outcome && <Outcome outcome={outcome} nameOfRule={nameOfRule} />}
      </div>
      {move && (
        <div className={classes.moves}>
          <ActionIcon
            variant="default"
            title="Move up"
            aria-label={`Move ${rule.name} up`}
            disabled={move.up === null}
            onClick={() => move.up?.()}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            title="Move down"
            aria-label={`Move ${rule.name} down`}
            disabled={move.down === null}
            onClick={() => move.down?.()}
          >
            <IconArrowDown size={16} />
          </ActionIcon>
        </div>
      )}
    </li>
  );
}

function Outcome({
  outcome,
  nameOfRule,
}: {
  outcome: RuleOutcome;
  nameOfRule: (id: number) => string | undefined;
}) {
  switch (outcome.kind) {
    case 'matched':
      return (
        <Text size="sm" mt={4}>
          <Mark tone="ok">Matches</Mark>
          {outcome.reason !== null && `, but ${formatNoChannelReason(outcome.reason)}`}
          {outcome.stops && ', stops here'}
        </Text>
      );
    case 'missed':
      return (
        <Text size="sm" mt={4} component="div">
          <Mark tone="muted">No match</Mark>
          <ul className={classes.mismatches}>
            {outcome.mismatches.map((mismatch) => (
              <li key={`${mismatch.criterion} ${mismatch.expected}`}>
                {formatMismatch(mismatch, nameOfRule)}
              </li>
            ))}
          </ul>
        </Text>
      );
    case 'not_asked':
      return (
        <Text size="sm" mt={4}>
          <Mark tone="muted">Skipped</Mark>: "{outcome.stoppedBy}" stops processing
        </Text>
      );
  }
}
