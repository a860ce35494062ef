import { PageHeader } from '../../ui/page-header.tsx';

export default function NotificationChannelsPage() {
  return <PageHeader title="NotificationChannels" />;
}
