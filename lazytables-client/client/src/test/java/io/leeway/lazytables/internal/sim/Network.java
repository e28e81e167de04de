package io.leeway.lazytables.internal.sim;

import io.leeway.lazytables.internal.client.ClientCore;
import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.server.ServerCore;
import io.leeway.lazytables.internal.wire.Protocol;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Connections whose frames arrive in their order, after any time, unless the connection breaks; updates may come again. Some have room for few frames. Nothing happens by itself. */
final class Network {

    /** One frame of updates in so many comes once more, later. */
    private static final int DUPLICATES = 30;

    private final List<ClientCore> clients;
    private final List<ServerCore> servers;
    private final List<Link> links = new ArrayList<>();
    private final IntSupplier rooms;
    private int peers;

    /** With room for all that is sent. */
    Network(List<ClientCore> clients, List<ServerCore> servers) {
        this(clients, servers, () -> Integer.MAX_VALUE);
    }

    /** With room for so many frames in each direction of each connection. */
    Network(List<ClientCore> clients, List<ServerCore> servers, IntSupplier rooms) {
        this.clients = clients;
        this.servers = servers;
        this.rooms = rooms;
        for (int client = 0; client < clients.size(); client++) {
            for (int server = 0; server < servers.size(); server++) {
                links.add(new Link(client, server));
            }
        }
    }

    List<Link> links() {
        return links;
    }

    /** Connects one more client to all servers. */
    void addClient() {
        for (int server = 0; server < servers.size(); server++) {
            links.add(new Link(clients.size() - 1, server));
        }
    }

    /** Ends a client without a word: some of what it sent arrives, and servers hear of its end, or do not. */
    void killClient(int client, RandomGenerator random) {
        for (Link link : links) {
            if (link.client == client) {
                link.clientDies(random);
            }
        }
    }

    /** Begins another client in the place of one that ended. */
    void reviveClient(int client) {
        for (Link link : links) {
            if (link.client == client) {
                link.clientDead = false;
            }
        }
    }

    /** Whether the client is connected to all servers, and no end has fallen silent. */
    boolean isConnected(int client) {
        return links.stream().allMatch(link -> link.client != client || link.clientUp && link.serverUp);
    }

    /** Whether the server has a connection of every client but this one, and knows that it has none of this one. */
    boolean missesOnly(int server, int client) {
        return links.stream()
                .allMatch(link -> link.server != server
                        || (link.client == client ? link.isGoneForServer() : link.serverUp && link.isGreeted));
    }

    /** Sends what the client has to say. */
    void flushClient(int client) {
        clients.get(client).flush(new FrameSender() {
            @Override
            public boolean send(int server, byte[] buffer, int offset, int length) {
                Link link = link(client, server);
                return link.clientUp && link.toServer.add(Arrays.copyOfRange(buffer, offset, offset + length));
            }

            @Override
            public boolean hasRoom(int server) {
                Link link = link(client, server);
                link.clientWaits = link.clientUp && link.toServer.size() >= link.roomToServer;
                return !link.clientWaits;
            }

            @Override
            public void close(int server) {
                throw new AssertionError("A client closed its connection to server " + server);
            }
        });
    }

    /** Ends a server and begins another in its place: connections break, and what was under way is lost. */
    void replaceServer(int server, ServerCore next) {
        servers.set(server, next);
        for (Link link : links) {
            if (link.server == server) {
                link.serverUp = false;
                link.halfOpen = false;
                link.closing = false;
                link.toServer.clear();
                link.toClient.clear();
            }
        }
    }

    void flushServer(int server) {
        List<Link> refused = new ArrayList<>();
        servers.get(server).flush(new FrameSender() {
            @Override
            public boolean send(int peer, byte[] buffer, int offset, int length) {
                Link link = find(peer);
                return link != null && link.toClient.add(Arrays.copyOfRange(buffer, offset, offset + length));
            }

            @Override
            public boolean hasRoom(int peer) {
                Link link = find(peer);
                if (link == null) {
                    return true;
                }
                link.serverWaits = link.toClient.size() >= link.roomToClient;
                return !link.serverWaits;
            }

            @Override
            public void close(int peer) {
                Link link = find(peer);
                if (link != null) {
                    refused.add(link);
                }
            }

            private @Nullable Link find(int peer) {
                for (Link link : links) {
                    if (link.serverUp && link.peer == peer && link.server == server) {
                        return link;
                    }
                }
                return null;
            }
        });
        refused.forEach(link -> link.closing = true);
    }

    private Link link(int client, int server) {
        return links.get(client * servers.size() + server);
    }

    /** A connection of a client to a server, that breaks and comes back. */
    final class Link {

        final int client;
        final int server;
        private final ArrayDeque<byte[]> toServer = new ArrayDeque<>();
        private final ArrayDeque<byte[]> toClient = new ArrayDeque<>();
        private final int roomToServer = rooms.getAsInt();
        private final int roomToClient = rooms.getAsInt();
        /** Whether an end keeps something for which there was no room. */
        private boolean clientWaits;

        private boolean serverWaits;
        private boolean clientUp;
        private boolean serverUp;
        private boolean closing;
        /** Whether the server has got a frame over the present connection: the first says who the client is. */
        private boolean isGreeted;

        private boolean clientDead;
        /** Whether the server still believes in a connection whose client is dead. */
        private boolean halfOpen;

        private int peer;

        private Link(int client, int server) {
            this.client = client;
            this.server = server;
        }

        /** Whether something can happen here without anybody's doing. */
        boolean isBusy() {
            if (clientDead) {
                return serverUp;
            }
            return !clientUp
                    || !serverUp
                    || !toServer.isEmpty()
                    || !toClient.isEmpty()
                    || closing
                    || clientWaits
                    || serverWaits;
        }

        private boolean isGoneForServer() {
            return clientDead && !serverUp && !halfOpen;
        }

        private void clientDies(RandomGenerator random) {
            while (clientUp && serverUp && !toServer.isEmpty() && random.nextInt(4) > 0) {
                deliver(toServer.remove());
            }
            clientDead = true;
            clientUp = false;
            toServer.clear();
            toClient.clear();
            if (serverUp && random.nextInt(3) == 0) {
                serverUp = false;
                halfOpen = true;
            }
        }

        /** Lets one thing happen. */
        void step(RandomGenerator random) {
            if (!clientUp && !serverUp) {
                toServer.clear();
                toClient.clear();
                peer = peers++;
                serverUp = true;
                halfOpen = false;
                isGreeted = false;
                closing = false;
                clientWaits = false;
                serverWaits = false;
                servers.get(server).onOpen(peer);
                clientUp = true;
                clients.get(client).onOpen(server);
                flushClient(client);
            } else if (!clientUp) {
                closeAtServer();
            } else if (!serverUp) {
                closeAtClient();
            } else if (clientWaits && toServer.size() < roomToServer && (toServer.isEmpty() || random.nextBoolean())) {
                clientWaits = false;
                flushClient(client);
            } else if (serverWaits && toClient.size() < roomToClient && (toClient.isEmpty() || random.nextBoolean())) {
                serverWaits = false;
                flushServer(server);
            } else if (!toServer.isEmpty() && (toClient.isEmpty() || random.nextBoolean())) {
                byte[] frame = toServer.remove();
                if (frame[0] == Protocol.UPDATE && random.nextInt(DUPLICATES) == 0) {
                    toServer.add(frame);
                }
                deliver(frame);
            } else if (!toClient.isEmpty()) {
                byte[] frame = toClient.remove();
                clients.get(client).onFrame(server, frame, 0, frame.length);
                flushClient(client);
            } else if (closing) {
                closeAtServer();
            }
        }

        private void deliver(byte[] frame) {
            isGreeted = true;
            servers.get(server).onFrame(peer, frame, 0, frame.length);
            flushServer(server);
        }

        /** Breaks the connection: what is under way is lost, and one of both sides hears of it first. */
        void breakDown(RandomGenerator random) {
            if (clientUp && serverUp) {
                toServer.clear();
                toClient.clear();
                if (random.nextBoolean()) {
                    closeAtClient();
                } else {
                    closeAtServer();
                }
            }
        }

        private void closeAtClient() {
            clientUp = false;
            clients.get(client).onClosed(server, null);
            flushClient(client);
        }

        private void closeAtServer() {
            serverUp = false;
            closing = false;
            servers.get(server).onClosed(peer, null);
            flushServer(server);
        }
    }
}
