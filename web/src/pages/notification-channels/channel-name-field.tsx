import { TextInput, type TextInputProps } from '@mantine/core';

/** The name of a channel: the same for every type. */
export function ChannelNameField(props: TextInputProps) {
  return (
    <TextInput
      label="Name"
      description="Shown in lists and notification rules."
      placeholder="Operations"
      required
      {...props}
    />
  );
}
