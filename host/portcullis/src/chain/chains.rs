//! The chains of all points.

use std::any::Any;
use std::fmt;

use super::Chain;
use crate::model::points::{Point, PointId, for_each_point};

/// A chain of some point.
trait AnyChain: Any + Send + Sync + fmt::Debug {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<P: Point> AnyChain for Chain<P> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

macro_rules! define_empty {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        /// The chain of a point, without hooks. Not generic, so that what runs a chain is compiled in this crate, and
        /// not again in each that runs chains.
        fn empty(point: PointId) -> Box<dyn AnyChain> {
            match point {
                $(PointId::$point => Box::new(Chain::<crate::model::points::$point>::new()),)*
            }
        }
    };
}
for_each_point!(define_empty);

/// The chains of the points that hooks serve: at the index of a point `P` there is a `Chain<P>`, or
/// nothing.
pub(crate) struct Chains([Option<Box<dyn AnyChain>>; PointId::ALL.len()]);

impl Default for Chains {
    fn default() -> Self {
        Self([const { None }; PointId::ALL.len()])
    }
}

impl Chains {
    /// The chain of a point, if a hook serves it.
    #[inline]
    pub(crate) fn get<P: Point>(&self) -> Option<&Chain<P>> {
        let chain = self.0.get(P::ID as usize)?.as_ref()?;
        chain.as_any().downcast_ref()
    }

    /// The chain of a point, to add a hook to. An empty one is put in where there is none.
    pub(crate) fn entry<P: Point>(&mut self) -> Option<&mut Chain<P>> {
        let slot = self.0.get_mut(P::ID as usize)?;
        let chain = slot.get_or_insert_with(|| empty(P::ID));
        chain.as_any_mut().downcast_mut()
    }

    /// The points that have a chain.
    pub(crate) fn points(&self) -> impl Iterator<Item = PointId> + '_ {
        let slots = PointId::ALL.iter().zip(&self.0);
        slots.filter_map(|(point, chain)| chain.is_some().then_some(*point))
    }
}

impl fmt::Debug for Chains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = PointId::ALL.iter().zip(&self.0);
        f.debug_map()
            .entries(slots.filter_map(|(point, chain)| Some((point, chain.as_ref()?))))
            .finish()
    }
}
