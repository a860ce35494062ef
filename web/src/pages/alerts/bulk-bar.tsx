import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { ApiCallError, api } from '../../api/session.ts';
import { showError } from '../../api/use-action.ts';
import { type BulkAction, bulkActions, changeAlerts } from '../../components/change-alerts.ts';
import { ChangeAlertsDialog, showOutcome } from '../../components/change-alerts-dialog.tsx';
import type { List, Selection } from '../../components/list/index.ts';
import { SelectionBar } from '../../components/selection-bar.tsx';
import { SilenceDialog } from '../../components/silence-dialog.tsx';

const alertsPerRequest = 200;

function noneIfDeleted(error: unknown): null {
  if (error instanceof ApiCallError && error.code === 'not_found') return null;
  throw error;
}

/** Shows the bulk actions for the selected alerts. */
export function BulkBar({ selection, list }: { selection: Selection; list: List<Schemas['Alert']> }) {
  const { ids } = selection;
  const [isBusy, setBusy] = useState(false);
  const [action, setAction] = useState<BulkAction | null>(null);
  const [isAcknowledging, setAcknowledging] = useState(false);
  const [silenced, setSilenced] = useState<readonly Schemas['Alert'][] | null>(null);
  const silenceSelected = async () => {
    const found: Schemas['Alert'][] = [];
    for (let offset = 0; found.length < ids.size; offset += alertsPerRequest) {
      const { items } = await queryClient.fetchQuery(list.pageQuery(offset, alertsPerRequest));
      found.push(...items.filter(({ id }) => ids.has(id)));
      if (items.length < alertsPerRequest) break;
    }
    // Selected alerts can leave the list, for example when someone acknowledges them, so the missing ones are
    // fetched individually.
    const listed = new Set(found.map(({ id }) => id));
    for (const id of ids) {
      const alert = listed.has(id) ? null : await api.call('getAlert', { path: { id } }).catch(noneIfDeleted);
      if (alert !== null) found.push(alert);
    }
    setSilenced(found);
  };
  /** Acknowledges immediately, because it can be undone. Alerts that failed stay selected. */
  const acknowledge = async () => {
    setAcknowledging(true);
    const { outcome, remaining, error } = await changeAlerts('acknowledge', [...ids], {});
    setAcknowledging(false);
    selection.set(new Set(remaining));
    if (error === null || outcome.changed.length > 0) showOutcome('acknowledge', outcome);
    if (error !== null) showError(error);
    await queryClient.invalidateQueries();
  };
  return (
    <>
      <SelectionBar selection={selection} list={list} name="alerts">
        <Button
          size="xs"
          data-key="a"
          loading={isAcknowledging}
          onClick={() => void acknowledge().catch(showError)}
        >
          Acknowledge
        </Button>
        <Menu position="top-start" withinPortal>
          <Menu.Target>
            <Button
              size="xs"
              variant="default"
              loading={isBusy}
              rightSection={<IconChevronDown size={14} aria-hidden />}
            >
              More actions
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {(Object.keys(bulkActions) as BulkAction[]).map((name) => (
              <Menu.Item key={name} onClick={() => setAction(name)}>
                {name === 'acknowledge' ? 'Acknowledge with a comment' : bulkActions[name].title}
              </Menu.Item>
            ))}
            <Menu.Item
              onClick={() => {
                setBusy(true);
                void silenceSelected()
                  .catch(showError)
                  .finally(() => setBusy(false));
              }}
            >
              Silence alerts like these
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </SelectionBar>
      {action !== null && (
        <ChangeAlertsDialog
          action={action}
          ids={[...ids]}
          onClose={() => setAction(null)}
          onDone={() => {
            setAction(null);
            selection.set(new Set());
          }}
          onPartlyDone={(remaining) => selection.set(new Set(remaining))}
        />
      )}
      {silenced !== null && (
        <SilenceDialog
          alerts={silenced}
          onClose={() => setSilenced(null)}
          onDone={() => {
            setSilenced(null);
            selection.set(new Set());
          }}
        />
      )}
    </>
  );
}
