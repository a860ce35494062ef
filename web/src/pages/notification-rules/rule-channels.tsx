import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';

/** The channels of a rule by name. @param ids null: the default channel. */
export function RuleChannels({ ids }: { ids: readonly number[] | null }) {
  const { data = [] } = useApi('listNotificationChannelsDropdown');
  const shown = ids === null ? data.filter(({ is_default }) => is_default).map(({ id }) => id) : ids;
  if (shown.length === 0) return ids === null ? 'default channel (not set)' : 'no channels';
  return (
    <>
      {ids === null && 'default channel: '}
      {shown.map((id, index) => {
        const channel = data.find((each) => each.id === id);
        return (
          <span key={id}>
            {index > 0 && ', '}
            <Anchor
              component={Link}
              to="/notification-channels/$id"
              params={{ id: String(id) } as never}
              inherit
              underline="always"
            >
              {channel?.name ?? '…'}
            </Anchor>
            {channel?.is_active === false && ' (disabled)'}
          </span>
        );
      })}
    </>
  );
}
