import { Button, Text } from '@mantine/core';
import { IconDownload, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { useChannelOptions } from '../../components/channel-picker.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ListFilters } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/facts.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { downloadRules } from './download-rules.ts';
import { evaluateRules } from './evaluate-rules.ts';
import { findFallback } from './find-fallback.ts';
import { NotificationSettingsForm } from './notification-settings-form.tsx';
import { NotifiedChannels } from './notified-channels.tsx';
import { RuleCard } from './rule-card.tsx';
import classes from './rule-list.module.css';
import { SimulationForm } from './simulation-form.tsx';
import { useMoveRule } from './use-move-rule.ts';
import { useRuleFilters } from './use-rule-filters.ts';
import { type RulesInOrder, useRulesInOrder } from './use-rules-in-order.ts';
import { type SimulatedAlert, useSimulation } from './use-simulation.ts';

export default function NotificationRulesPage() {
  const inOrder = useRulesInOrder();
  const create = useHasRole('member') && (
    <ButtonLink to="/notification-rules/new" leftSection={<IconPlus size={16} />}>
      New notification rule
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Notification rules"
        about="Route alerts to channels. Rules are evaluated in order, and every match adds its channels."
        actions={create}
      />
      <Loaded query={inOrder}>{(found) => <RulesAndTrial inOrder={found} create={create} />}</Loaded>
    </>
  );
}

function RulesAndTrial({ inOrder, create }: { inOrder: RulesInOrder; create: React.ReactNode }) {
  const { rules, isComplete } = inOrder;
  const [alert, setAlert] = useState<SimulatedAlert | null>(null);
  const settings = useApi('getNotificationSettings');
  const channels = useApi('listNotificationChannelsDropdown');
  const ruleNames = useApi('listRulesDropdown');
  const simulation = useSimulation(rules, alert, settings.data);
  const filters = useRuleFilters();
  const move = useMoveRule(rules);
  const mayMove = useHasRole('member') && !filters.isFiltered && isComplete;
  const channelOptions = useChannelOptions();

  const fallback = findFallback(settings.data, channels.data);
  const trial = alert && simulation.data ? evaluateRules(rules, simulation.data, fallback) : null;
  const nameOfRule = (id: number) => ruleNames.data?.find((rule) => rule.id === id)?.name;
  const shown = rules.filter(filters.wants);
  return (
    <div className={classes.page}>
      <div>
        {rules.length === 0 ? (
          <EmptyState title="No notification rules yet" action={create}>
            Without rules, all alerts go to the default channel. Add rules to send critical alerts to a pager
            or a team's alerts to its chat.
          </EmptyState>
        ) : (
          <>
            <ListFilters
              list={filters}
              search="Search by name"
              filters={[
                { name: 'channel_id', label: 'Channel', options: channelOptions },
                {
                  name: 'is_active',
                  label: 'State',
                  options: [
                    { value: 'true', label: 'Enabled' },
                    { value: 'false', label: 'Disabled' },
                  ],
                },
              ]}
            />
            {shown.length === 0 && (
              <Text ta="center" py="xl" c="var(--text-muted)">
                No matching rules
              </Text>
            )}
            {shown.length > 0 && (
              <ol className={classes.rules} aria-label="Notification rules in order">
                {shown.map((rule) => {
                  const place = rules.indexOf(rule) + 1;
                  return (
                    <RuleCard
                      key={rule.id}
                      rule={rule}
                      place={place}
                      nameOfRule={nameOfRule}
                      outcome={trial?.outcomes.get(rule.id)}
                      {...(mayMove && {
                        move: {
                          up:
                            place === 1 || move.isPending
                              ? null
                              : () => move.mutate({ id: rule.id, direction: 'up' }),
                          down:
                            place === rules.length || move.isPending
                              ? null
                              : () => move.mutate({ id: rule.id, direction: 'down' }),
                        },
                      })}
                    />
                  );
                })}
              </ol>
            )}
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconDownload size={14} />}
              onClick={() => downloadRules(shown)}
            >
              Export CSV
            </Button>
            {!isComplete && (
              <Text size="sm" c="var(--text-muted)">
                Showing the first {rules.length.toLocaleString('en')} rules.
              </Text>
            )}
          </>
        )}
      </div>
      <div>
        <Section title="Simulate an alert">
          <SimulationForm alert={alert} onSimulate={setAlert} />
          {simulation.error && <ErrorNotice error={simulation.error} />}
          {trial && <NotifiedChannels notified={trial.notified} skipped={trial.skipped} />}
        </Section>
        <Section title="Default routing">
          <Loaded query={settings}>{(found) => <NotificationSettingsForm settings={found} />}</Loaded>
        </Section>
      </div>
    </div>
  );
}
