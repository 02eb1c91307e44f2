//! The chains of all points.

use std::any::Any;
use std::fmt;

use super::Chain;
use crate::model::points::{Point, PointId, for_each_point};

/// A type-erased [`Chain`].
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
        /// Returns the chain of a point, without hooks. It is not generic, so that the code that
        /// runs a chain is compiled in this crate, and not again in each crate that runs chains.
        fn empty(point: PointId) -> Box<dyn AnyChain> {
            match point {
                $(PointId::$point => Box::new(Chain::<crate::model::points::$point>::new()),)*
            }
        }
    };
}
for_each_point!(define_empty);

/// The chains of the points that hooks serve: a `Chain<P>` at the index of a point `P`, or `None`.
pub(crate) struct Chains([Option<Box<dyn AnyChain>>; PointId::ALL.len()]);

impl Default for Chains {
    fn default() -> Self {
        Self([const { None }; PointId::ALL.len()])
    }
}

impl Chains {
    /// Returns the chain of a point, if a hook serves it.
    #[inline]
    pub(crate) fn get<P: Point>(&self) -> Option<&Chain<P>> {
        let chain = self.0.get(P::ID as usize)?.as_ref()?;
        chain.as_any().downcast_ref()
    }

    /// Returns the chain of a point, to add a hook to. An empty one is inserted if there is none.
    pub(crate) fn entry<P: Point>(&mut self) -> Option<&mut Chain<P>> {
        let slot = self.0.get_mut(P::ID as usize)?;
        let chain = slot.get_or_insert_with(|| empty(P::ID));
        chain.as_any_mut().downcast_mut()
    }

    /// Returns the points that have a chain.
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
