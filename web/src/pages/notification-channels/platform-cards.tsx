import { Text, UnstyledButton } from '@mantine/core';
import classes from '../../components/cards.module.css';
import { type ChannelPlatform, channelPlatforms, platformTexts } from '../../components/channel-platform.ts';

/** Selects the platform of a new channel, which is the first step of its creation. */
export function PlatformCards({ onChoose }: { onChoose: (platform: ChannelPlatform) => void }) {
  return (
    <div className={classes.cards}>
      {channelPlatforms.map((platform) => (
        <UnstyledButton key={platform} className={classes.card} onClick={() => onChoose(platform)}>
          <Text span fw={600}>
            {platformTexts[platform].label}
          </Text>
          <Text span size="sm" c="var(--text-muted)">
            {platformTexts[platform].about}
          </Text>
        </UnstyledButton>
      ))}
    </div>
  );
}
