import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { apiQuery } from '../../api/use-api.ts';
import { resourceLink } from '../../components/resource-link.ts';

type Query = Readonly<Record<string, unknown>>;

/** Last query of the list of open alerts. The previous and next links follow the order of that list. */
let lastList: Query = { sort: 'worst' };

/** Stores the query of the alert list for the previous and next links. */
export function rememberAlertList(query: Query): void {
  lastList = query;
}

const searched = 200;

/** Links to the previous and next alerts in the list that the user came from. */
export function AlertNeighbors({ alertId }: { alertId: number }) {
  const { data } = useQuery(apiQuery('listAlerts', { query: { ...lastList, limit: searched } }));
  const items = data?.items ?? [];
  const index = items.findIndex(({ id }) => id === alertId);
  if (index < 0) return null;
  const link = (item: (typeof items)[number] | undefined, label: string, icon: React.ReactNode) =>
    item ? (
      <NeighborLink item={item} label={label} icon={icon} />
    ) : (
      <ActionIcon variant="default" size={36} aria-label={label} disabled>
        {icon}
      </ActionIcon>
    );
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" c="var(--text-muted)" mr={4} style={{ whiteSpace: 'nowrap' }} visibleFrom="sm">
        {(index + 1).toLocaleString('en')} of {(data?.total ?? items.length).toLocaleString('en')}
      </Text>
      {link(items[index - 1], 'Previous alert', <IconChevronLeft size={16} aria-hidden />)}
      {link(items[index + 1], 'Next alert', <IconChevronRight size={16} aria-hidden />)}
    </Group>
  );
}

/**
 * Label of the link that was last activated with the keyboard. The same link gets the focus on the next page,
 * so that pressing Enter again continues through the list.
 */
let lastKeyboardLink: string | null = null;

function NeighborLink({
  item: { id, alert_config_name },
  label,
  icon,
}: {
  item: Schemas['Alert'];
  label: string;
  icon: React.ReactNode;
}) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (lastKeyboardLink !== label) return;
    lastKeyboardLink = null;
    if (document.activeElement === document.body) link.current?.focus({ preventScroll: true });
  }, [label]);
  return (
    <ActionIcon
      variant="default"
      size={36}
      aria-label={`${label}: ${alert_config_name}`}
      title={`${label}: ${alert_config_name}`}
      renderRoot={(props) => (
        <Link
          {...resourceLink('alert', id)}
          {...props}
          ref={link}
          onClick={({ detail }) => {
            // Store only links that were activated with the keyboard, for which `detail` is 0.
            lastKeyboardLink = detail === 0 ? label : null;
          }}
        />
      )}
    >
      {icon}
    </ActionIcon>
  );
}
