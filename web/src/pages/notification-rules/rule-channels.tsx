import { useApi } from '../../api/use-api.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { TextLink } from '../../ui/links.tsx';

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
            <TextLink {...resourceLink('notification_channel', id)} inherit underline="always">
              {channel?.name ?? '…'}
            </TextLink>
            {channel?.is_active === false && ' (disabled)'}
          </span>
        );
      })}
    </>
  );
}
