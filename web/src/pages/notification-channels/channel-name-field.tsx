import { TextInput, type TextInputProps } from '@mantine/core';

/** Name field, which all channel types share. */
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
