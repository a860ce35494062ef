import { Button, Divider, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useNow } from '../../ui/relative-time.tsx';
import { RuleForm } from '../rules/rule-form.tsx';
import { ThresholdScale } from '../rules/threshold-scale.tsx';
import { ChoiceList } from './choice-list.tsx';
import { type Pair, previewRule } from './rule-preview.ts';
import classes from './set-up.module.css';

type RuleBody = Schemas['CreateMonitoringRuleRequest'];

const readyMade: readonly { about: string; body: RuleBody }[] = [
  {
    about: 'Alerts when a newer release has been available for 30 days. Escalates at 60 and 90 days.',
    body: {
      name: 'Ninety days',
      rule_type: 'days_behind',
      thresholds: { moderate: 30, high: 60, critical: 90 },
      days_basis: 'first_newer_release',
    },
  },
  {
    about: 'Alerts when a new major version is released.',
    body: {
      name: 'Major versions',
      rule_type: 'majors_behind',
      thresholds: { moderate: 1, high: 2, critical: 3 },
    },
  },
  {
    about: "Alerts when you're several minor versions behind.",
    body: {
      name: 'Minor versions',
      rule_type: 'minors_behind',
      thresholds: { moderate: 2, high: 4, critical: 8 },
    },
  },
];

/** How far behind is too far: a rule that exists, a ready-made one, or one of one's own. */
export function RuleStep({ pair, onSettled }: { pair: Pair | null; onSettled(ruleId: number): void }) {
  const now = useNow();
  const preview = (rule: Parameters<typeof previewRule>[0]) => (pair ? previewRule(rule, pair, now) : null);
  const rules = useApi('listRules', { query: { is_active: true, limit: 200, sort: 'name' } });
  const create = useAction('createRule');
  const createOwn = useAction('createRule', { quiet: true });
  const [isOwn, own] = useDisclosure(false);
  const existing = rules.data?.items ?? [];
  const offered = readyMade.filter(({ body }) => !existing.some(({ name }) => name === body.name));
  return (
    <Stack gap="md">
      <ChoiceList
        label="Existing rules"
        choices={existing.map((rule) => ({ id: rule.id, name: rule.name, note: preview(rule) }))}
        onChoose={onSettled}
      />
      {existing.length > 0 && offered.length > 0 && <Divider label="Or create one" />}
      {offered.length > 0 && (
        <div className={classes.cards}>
          {offered.map(({ about, body }) => (
            <UnstyledButton
              key={body.name}
              className={classes.card}
              disabled={create.isPending}
              onClick={() =>
                void create.mutateAsync({ body }).then(
                  ({ id }) => onSettled(id),
                  () => {},
                )
              }
            >
              <Text span fw={600}>
                {body.name}
              </Text>
              <Text span size="sm" c="var(--text-muted)">
                {about}
              </Text>
              <ThresholdScale thresholds={body.thresholds} ruleType={body.rule_type} />
              {pair && (
                <Text span size="sm">
                  {preview(body)}
                </Text>
              )}
            </UnstyledButton>
          ))}
        </div>
      )}
      {isOwn ? (
        <RuleForm
          submit="Continue"
          save={async (body) => onSettled((await createOwn.mutateAsync({ body })).id)}
          onCancel={own.close}
        />
      ) : (
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={own.open}>
          Custom rule
        </Button>
      )}
    </Stack>
  );
}
