import { resourceLink } from '../../components/resource-link.ts';
import { TextLink } from '../../ui/links.tsx';
import { useChannelsOf } from './channels-of-rule.ts';

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
  const channels = useChannelsOf(ids);
  const shown = ids ?? channels?.map(({ id }) => id) ?? [];
  const before = toOwner && "the owner's channels, otherwise ";
  if (ids === null && channels === undefined) return '…';
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
        const channel = channels?.find((each) => each.id === id);
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
