//! One opened device with its kernel and buffers: scores batches until something fails, and is then thrown away.

use super::adapter::AdapterSummary;
use super::choose::AdapterRequest;
use super::device::{Device, Failure};
use super::kernel::Kernel;
use super::limits::GpuLimits;
use super::plan::Plan;
use super::room::Room;
use super::staged::Staged;
use crate::error::Error;
use crate::fitness::{BatchTimes, Score};
use crate::sudoku::Shape;

pub(super) struct Session {
    device: Device,
    kernel: Kernel,
    plan: Plan,
    /// As many as batches were ever under way at once.
    rooms: Vec<Room>,
}

impl Session {
    /// Opens the adapter that the request takes, with room for a batch of so many tiles.
    pub fn open(
        shape: Shape,
        tiles: usize,
        request: &AdapterRequest,
        limits: Option<GpuLimits>,
    ) -> Result<Session, Error> {
        let device = Device::open(request, limits)?;
        let name = device.adapter.describe();
        Session::on(device, shape, tiles).map_err(|failure| failure.on(&name))
    }

    fn on(device: Device, shape: Shape, tiles: usize) -> Result<Session, Failure> {
        let plan = Plan::new(shape, device.limits).map_err(Failure::Refused)?;
        let kernel = Kernel::compile(&device, shape)?;
        let mut session = Session { device, kernel, plan, rooms: Vec::new() };
        session.room_for(tiles)?;
        Ok(session)
    }

    /// The adapter it works on.
    pub fn adapter(&self) -> &AdapterSummary {
        &self.device.adapter
    }

    /// Destroys the device under the session's feet.
    pub fn destroy_device(&self) {
        self.device.raw.destroy();
    }

    /// The objects that wgpu keeps at the moment.
    pub fn living_objects(&self) -> [isize; 4] {
        self.device.living_objects()
    }

    /// The index of a free room with space for so many tiles.
    pub fn room_for(&mut self, tiles: usize) -> Result<usize, Failure> {
        let index = self.rooms.iter().position(|room| room.slots().is_none()).unwrap_or_else(|| {
            self.rooms.push(Room::new(&self.device));
            self.rooms.len() - 1
        });
        self.rooms[index].make_space(&self.device, &self.kernel, self.plan, tiles)?;
        Ok(index)
    }

    /// Has a batch filled and scored in a room that [`Session::room_for`] has found.
    pub fn submit(&mut self, room: usize, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) {
        self.rooms[room].submit(&self.device, &self.kernel, tiles, write);
    }

    /// The slots of the batch in a room, none if there is no batch or no such room.
    pub fn slots(&self, room: usize) -> Option<usize> {
        self.rooms.get(room).and_then(Room::slots)
    }

    /// Takes the scores of the batch in a room, as many as it has slots.
    pub fn finish(&mut self, room: usize, scores: &mut [Score]) -> Result<BatchTimes, Failure> {
        self.rooms[room].finish(&self.device, scores)
    }

    /// Scores a batch at once.
    pub fn score(
        &mut self,
        tiles: usize,
        write: &mut dyn FnMut(Staged<'_>),
        scores: &mut [Score],
    ) -> Result<BatchTimes, Failure> {
        let room = self.room_for(tiles)?;
        self.submit(room, tiles, write);
        self.finish(room, scores)
    }
}
