import { useSearch } from '@tanstack/react-router';
import { AddSoftware } from './add-software.tsx';

export default function AddSoftwarePage() {
  const { alert_config_id } = useSearch({ from: '/shell/software/new' });
  return (
    <AddSoftware
      page="/software/new"
      alertConfigId={alert_config_id}
      title="Add software"
      about="Creates the upstream source, the version tracker, and the monitor together."
    />
  );
}
