import { useApi } from '../../api/use-api.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { TextLink } from '../../ui/links.tsx';

/**
 * Lists the channels of a rule by name.
 * @param ids IDs of the channels, or `null` for the default channel.
 */
export function RuleChannels({
  ids,
  toOwner = false,
}: {
  ids: readonly number[] | null;
  /** True if the owner's channels take precedence. */
  toOwner?: boolean;
}) {
  const { data = [] } = useApi('listNotificationChannelsDropdown');
  const shown = ids === null ? data.filter(({ is_default }) => is_default).map(({ id }) => id) : ids;
  const before = toOwner && "the owner's channels, otherwise ";
  if (shown.length === 0)
    return (
      <>
        {before}
        {ids === null ? 'default channel (not set)' : 'no channels'}
      </>
    );
  return (
    <>
      {before}
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
